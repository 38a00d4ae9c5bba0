/**
 * HTTP on Spring MVC: idempotency keys, versions as entity tags, and errors as {@code application/problem+json}. Begin with {@link
 * dev.cerrojo.spring.boot.web.Replies}.
 */
@NullMarked
package dev.cerrojo.spring.boot.web;

import org.jspecify.annotations.NullMarked;
