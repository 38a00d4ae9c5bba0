/**
 * What every {@link dev.cerrojo.idempotency.RequestStore} must do: a test class extends {@link
 * dev.cerrojo.idempotencycontract.RequestStoreContract}.
 */
@NullMarked
package dev.cerrojo.idempotencycontract;

import org.jspecify.annotations.NullMarked;
