/** The scenario file: {@link dev.cerrojo.explorer.scenario.Scenario} is what a file says, read and checked. */
@NullMarked
package dev.cerrojo.explorer.scenario;

import org.jspecify.annotations.NullMarked;
