/**
 * What operations see: meters, observations, health and the endpoint {@code cerrojo}. Begin with {@link
 * dev.cerrojo.spring.boot.actuate.CerrojoEndpoint}.
 */
@NullMarked
package dev.cerrojo.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
