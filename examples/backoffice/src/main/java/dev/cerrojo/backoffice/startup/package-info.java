/** What the service needs to start on a machine that has nothing. */
@NullMarked
package dev.cerrojo.backoffice.startup;

import org.jspecify.annotations.NullMarked;
