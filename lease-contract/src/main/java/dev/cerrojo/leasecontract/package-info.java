/** What every {@link dev.cerrojo.lease.LeaseStore} must do: a test class extends {@link dev.cerrojo.leasecontract.LeaseStoreContract}. */
@NullMarked
package dev.cerrojo.leasecontract;

import org.jspecify.annotations.NullMarked;
