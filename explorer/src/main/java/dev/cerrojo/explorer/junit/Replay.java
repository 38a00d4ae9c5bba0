package dev.cerrojo.explorer.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Runs one schedule of a race again, and no other: for the time of debugging, beside {@link InterleavingTest}. */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Replay {
    /** {@return the schedule, as a failure shows it: {@code 1:AABB}} */
    String value();
}
