/** The command line: {@link dev.cerrojo.cli.Main} is its entry, and each command is a class. */
@NullMarked
package dev.cerrojo.cli;

import org.jspecify.annotations.NullMarked;
