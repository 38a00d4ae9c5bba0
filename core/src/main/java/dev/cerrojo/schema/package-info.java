/** Cerrojo's own tables: {@link dev.cerrojo.schema.Schema} prints, installs and validates them. */
@NullMarked
package dev.cerrojo.schema;

import org.jspecify.annotations.NullMarked;
