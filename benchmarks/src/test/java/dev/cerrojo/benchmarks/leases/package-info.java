/** Leases beside the locks of other libraries, on the same servers in the same run. */
@NullMarked
package dev.cerrojo.benchmarks.leases;

import org.jspecify.annotations.NullMarked;
