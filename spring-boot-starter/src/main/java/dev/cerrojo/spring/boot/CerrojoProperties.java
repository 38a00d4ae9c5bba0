package dev.cerrojo.spring.boot;

import dev.cerrojo.schema.SchemaMode;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code cerrojo}. Each is checked when the application starts.
 *
 * @param enabled Whether Cerrojo is set up at all. Switched off, annotations are ignored and nothing is protected.
 * @param schema Cerrojo's own tables.
 * @param transactions How transactions are run.
 * @param lease How leases are held and waited for.
 * @param idempotency How idempotent requests and jobs are kept.
 * @param observations Observations of calls, which traces are made of.
 * @param margins How far invariants are from being violated, as health and the endpoint show it.
 */
@ConfigurationProperties("cerrojo")
public record CerrojoProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Tables schema,
        @DefaultValue TransactionSettings transactions,
        @DefaultValue LeaseTimes lease,
        @DefaultValue Idempotency idempotency,
        @DefaultValue Observations observations,
        @DefaultValue Margins margins) {
    /**
     * Cerrojo's own tables.
     *
     * @param mode What happens to them at start: whether they must be there, are made, or are not asked for.
     */
    public record Tables(@DefaultValue("validate") SchemaMode mode) {}

    /**
     * How transactions are run.
     *
     * @param deadline How long all attempts of a call may take, waits included; from PT0.001S to PT24H.
     * @param maxAttempts How often the work may run, 1 or more; 1 is never again.
     * @param backoffBase The wait before the second attempt is a random time up to it, which then doubles.
     * @param backoffCap The most that the wait between two attempts grows to.
     */
    public record TransactionSettings(
            @DefaultValue("30s") Duration deadline,
            @DefaultValue("20") int maxAttempts,
            @DefaultValue("5ms") Duration backoffBase,
            @DefaultValue("500ms") Duration backoffCap) {}

    /**
     * How leases are held and waited for.
     *
     * @param duration How long a lease is held without being renewed, from PT0.1S to PT24H. So long a holder that died is in others' way.
     * @param renewEvery How often it is renewed; at most two thirds of its duration.
     * @param waitUpTo How long others are waited for, from PT0S to PT24H.
     * @param pollEvery How often who waits asks again when no hint comes, from PT0.01S to PT1M.
     */
    public record LeaseTimes(
            @DefaultValue("30s") Duration duration,
            @DefaultValue("15s") Duration renewEvery,
            @DefaultValue("10s") Duration waitUpTo,
            @DefaultValue("500ms") Duration pollEvery) {}

    /**
     * How idempotent requests and jobs are kept.
     *
     * @param retention For how long a result is kept, from PT1S to 366 days. After that the same key is a new request.
     * @param waitUpTo How long a repetition waits for the first one, from PT0.001S to PT1H.
     */
    public record Idempotency(
            @DefaultValue("24h") Duration retention,
            @DefaultValue("5s") Duration waitUpTo) {}

    /**
     * Observations of calls.
     *
     * @param enabled Whether each call of an annotated method is an observation.
     */
    public record Observations(@DefaultValue("true") boolean enabled) {}

    /**
     * How far invariants are from being violated.
     *
     * @param most How many scopes of an invariant the endpoint shows, the nearest first; from 1 to 1000.
     */
    public record Margins(@DefaultValue("20") int most) {
        /** Checks the bound. */
        public Margins {
            if (most < 1 || most > 1000) {
                throw new IllegalArgumentException("cerrojo.margins.most must be 1 to 1000, but was " + most);
            }
        }
    }
}
