package dev.cerrojo.spring.boot.actuate;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The endpoint {@code cerrojo}: what is held, what is stuck, and how near the rules are to being broken. It changes nothing. */
@Endpoint(id = "cerrojo")
public final class CerrojoEndpoint {
    private final StateQueries queries;

    CerrojoEndpoint(StateQueries queries) {
        this.queries = queries;
    }

    /**
     * What it shows.
     *
     * @param leases that are held now: entity, group, token and until when
     * @param stuckClaims of requests and jobs: their time is over and nobody has settled them
     * @param margins by invariant, its scopes with value, bound and margin, the nearest to a violation first
     * @param guardDrift by invariant that has a guard in the database, in what that differs; empty lists are good
     */
    public record State(
            List<Map<String, Object>> leases,
            List<Map<String, Object>> stuckClaims,
            Map<String, List<Map<String, Object>>> margins,
            Map<String, List<String>> guardDrift) {}

    /**
     * {@return the state now}
     *
     * @throws SQLException when the guards cannot be read
     */
    @ReadOperation
    public State state() throws SQLException {
        return new State(queries.leases(), queries.stuckClaims(), queries.margins(), queries.guardDrift());
    }
}
