/** What all endpoints share. */
@NullMarked
package dev.cerrojo.backoffice.web;

import org.jspecify.annotations.NullMarked;
