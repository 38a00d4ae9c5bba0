package dev.cerrojo.explorer.scenario;

import java.util.List;
import java.util.Optional;

/** Reads {@code faults}. */
final class FaultsReader {
    private static final List<String> KEYS = List.of("crash", "lost_answer", "client_retries");

    /** Each more multiplies the schedules by their length. */
    private static final int MOST = 5;

    private FaultsReader() {}

    static Faults faults(Field value) {
        Optional<Keys> keys = value.keys(KEYS);
        if (keys.isEmpty()) {
            return Faults.NONE;
        }
        Faults faults = new Faults(
                number(keys.get(), "crash"),
                number(keys.get(), "lost_answer"),
                keys.get().find("client_retries").flatMap(Field::truth).orElse(false));
        if (!keys.get().has("crash") && !keys.get().has("lost_answer")) {
            value.problem("must have crash or lost_answer, or both: how many of them may happen in one run");
        }
        return faults;
    }

    private static int number(Keys keys, String key) {
        return keys.find(key)
                .flatMap(field -> field.wholeNumber(1, MOST))
                .map(Long::intValue)
                .orElse(0);
    }
}
