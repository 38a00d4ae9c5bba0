/** The command line: {@link dev.cerrojo.cli.Main}, and one class per command. */
@NullMarked
package dev.cerrojo.cli;

import org.jspecify.annotations.NullMarked;
