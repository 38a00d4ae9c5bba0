package dev.cerrojo.spring.boot.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Tells who sends a request, so that nobody is answered with what is another's. A bean of this type replaces the default. */
@FunctionalInterface
public interface CallerIdentity {
    /** {@return who it is, as authentication says; empty when nobody knows, and then keys are refused} */
    Optional<String> of(HttpServletRequest request);
}
