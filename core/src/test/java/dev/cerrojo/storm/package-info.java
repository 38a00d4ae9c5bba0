/** Many clients, two invariants, and a server that is killed again and again. */
@NullMarked
package dev.cerrojo.storm;

import org.jspecify.annotations.NullMarked;
