/**
 * The database that explorations run on: {@link dev.cerrojo.explorer.database.Arena} is one scratch database with its
 * start state.
 */
@NullMarked
package dev.cerrojo.explorer.database;

import org.jspecify.annotations.NullMarked;
