/** Leases on etcd: {@link dev.cerrojo.etcd.EtcdLeaseStore}. */
@NullMarked
package dev.cerrojo.etcd;

import org.jspecify.annotations.NullMarked;
