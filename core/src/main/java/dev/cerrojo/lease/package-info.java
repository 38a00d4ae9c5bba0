/**
 * Leases: locks that end by themselves, tell who has lost one, and keep a stale holder from committing.
 * {@link dev.cerrojo.lease.Leases} takes them; {@link dev.cerrojo.lease.LeaseStore} is what a store implements.
 */
@NullMarked
package dev.cerrojo.lease;

import org.jspecify.annotations.NullMarked;
