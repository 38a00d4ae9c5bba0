/** SQL text: {@link dev.cerrojo.explorer.sql.SqlTemplate} is a statement with named variables. */
@NullMarked
package dev.cerrojo.explorer.sql;

import org.jspecify.annotations.NullMarked;
