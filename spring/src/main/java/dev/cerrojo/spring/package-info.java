/** Cerrojo in Spring's transactions, and as annotations on methods. Begin with {@link dev.cerrojo.spring.EnableCerrojo}. */
@NullMarked
package dev.cerrojo.spring;

import org.jspecify.annotations.NullMarked;
