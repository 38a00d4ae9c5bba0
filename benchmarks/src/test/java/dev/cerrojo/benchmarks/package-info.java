/** Benchmarks, run on demand; each says its command. */
@NullMarked
package dev.cerrojo.benchmarks;

import org.jspecify.annotations.NullMarked;
