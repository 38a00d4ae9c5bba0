package dev.cerrojo.ownership;

import org.jspecify.annotations.Nullable;

/** Makes one value of two writers' values. It may be applied several times, each time to what is there then. */
@FunctionalInterface
@SuppressWarnings("exports") // users need no JSpecify
public interface MergeFunction {
    /**
     * {@return the value to be written; the present one to leave it}
     *
     * <p>Values are as JDBC gives them, arrays as {@link java.util.List}.
     *
     * @param base what the writer had read; null where that was NULL, or was not said
     * @param present what is there now, under the lock of the row
     * @param proposed what the writer wants
     */
    @Nullable
    Object merge(@Nullable Object base, @Nullable Object present, @Nullable Object proposed);
}
