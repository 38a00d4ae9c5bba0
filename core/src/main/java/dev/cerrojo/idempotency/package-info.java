/**
 * Requests and jobs that come twice, and take effect once.
 *
 * <p>Entry types: {@link dev.cerrojo.idempotency.IdempotentRequests} and {@link dev.cerrojo.idempotency.IdempotentJobs} where the
 * effect is in the same database: claim, work and result are one commit. {@link dev.cerrojo.idempotency.PhasedRequests} and {@link
 * dev.cerrojo.idempotency.PhasedJobs} where it is elsewhere.
 */
@NullMarked
package dev.cerrojo.idempotency;

import org.jspecify.annotations.NullMarked;
