/**
 * Exploring code that talks JDBC: {@link dev.cerrojo.explorer.jdbc.Interleavings} runs sessions of any Java code in every
 * order of their steps, through a {@link dev.cerrojo.explorer.jdbc.GatedDataSource} that stops them before each.
 */
@NullMarked
package dev.cerrojo.explorer.jdbc;

import org.jspecify.annotations.NullMarked;
