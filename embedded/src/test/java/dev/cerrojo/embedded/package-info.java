@NullMarked
package dev.cerrojo.embedded;

import org.jspecify.annotations.NullMarked;
