/** Are recorded histories of leases linearizable? */
@NullMarked
package dev.cerrojo.leasefaults.history;

import org.jspecify.annotations.NullMarked;
