/** A page that shows what the service is doing. */
@NullMarked
package dev.cerrojo.backoffice.state;

import org.jspecify.annotations.NullMarked;
