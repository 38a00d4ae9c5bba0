/** Cerrojo in Spring Boot: begin with {@link dev.cerrojo.spring.boot.CerrojoAutoConfiguration}. */
@NullMarked
package dev.cerrojo.spring.boot;

import org.jspecify.annotations.NullMarked;
