package dev.cerrojo.explorer.report;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON object that comes to be, its keys in the order in which they were put. */
final class JsonObject {
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    JsonObject put(String key, Object value) {
        fields.put(key, value);
        return this;
    }

    JsonObject putAll(Map<String, ? extends @Nullable Object> others) {
        fields.putAll(others);
        return this;
    }

    /** Puts the value, or null. */
    JsonObject put(String key, Optional<?> value) {
        fields.put(key, value.orElse(null));
        return this;
    }

    JsonObject put(String key, Duration value) {
        fields.put(key, value.toMillis());
        return this;
    }

    Map<String, @Nullable Object> fields() {
        return fields;
    }
}
