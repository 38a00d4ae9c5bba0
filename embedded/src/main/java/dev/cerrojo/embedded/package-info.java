/** PostgreSQL servers that start by themselves: {@link dev.cerrojo.embedded.EmbeddedPostgres}. */
@NullMarked
package dev.cerrojo.embedded;

import org.jspecify.annotations.NullMarked;
