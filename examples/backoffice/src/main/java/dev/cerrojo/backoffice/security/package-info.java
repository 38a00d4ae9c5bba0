/** Who may do what. */
@NullMarked
package dev.cerrojo.backoffice.security;

import org.jspecify.annotations.NullMarked;
