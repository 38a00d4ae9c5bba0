/** The Java of the guide to leases on Redis and etcd. */
@NullMarked
package dev.cerrojo.leasefaults.guide;

import org.jspecify.annotations.NullMarked;
