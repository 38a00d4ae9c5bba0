package dev.cerrojo.spring;

import dev.cerrojo.Actor;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a method run in a transaction of its own that tells the database who acts, so that triggers know whose fields may be written.
 * With another annotation of Cerrojo's it is that one's transaction.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ActingAs {
    /** {@return who acts} */
    Actor value();
}
