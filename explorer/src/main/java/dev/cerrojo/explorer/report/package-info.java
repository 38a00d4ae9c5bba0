/**
 * What a check or a repair found, as text and as JSON: {@link dev.cerrojo.explorer.report.CheckReport} is what is shown.
 * Pure functions; nothing here prints or asks a database.
 */
@NullMarked
package dev.cerrojo.explorer.report;

import org.jspecify.annotations.NullMarked;
