package dev.cerrojo.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * What came of asking for one entity.
 *
 * @param holding what is held now; empty when it was refused
 * @param retryIn after which time to ask again, if nobody gives a hint before
 */
record Granting(Optional<Holding> holding, Duration retryIn) {}
