package dev.cerrojo.spring.boot.actuate;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardNotPossibleException;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.Guards;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.MarginQuery;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.spring.SerializationPoints;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads what Cerrojo knows in the database; takes no lock, and at most so many rows of each kind. */
record StateQueries(DataSource dataSource, SerializationPoints points, int most) {
    private static final int SECONDS = 5;

    private static final String LEASES = """
            SELECT l.entity, h.field_group AS "group", h.token, h.until
            FROM cerrojo.lease AS l, unnest(l.holds) AS h
            WHERE h.until > now()
            ORDER BY l.entity, h.field_group
            LIMIT ?""";

    private static final String STUCK = """
            SELECT kind, operation, claims, claimed_until AS "over since"
            FROM (
              SELECT 'request' AS kind, operation, claims, claimed_until FROM cerrojo.api_request WHERE status = 'PENDING'
              UNION ALL
              SELECT 'job', operation, claims, claimed_until FROM cerrojo.job WHERE status = 'PENDING'
            ) AS pending
            WHERE claimed_until < now()
            ORDER BY claimed_until
            LIMIT ?""";

    private JdbcTemplate jdbc() {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.setQueryTimeout(SECONDS);
        return jdbc;
    }

    /** {@return the leases that are held now} */
    List<Map<String, Object>> leases() {
        return jdbc().queryForList(LEASES, most);
    }

    /** {@return claims of requests and jobs that are over without a result, without keys, which are the clients'} */
    List<Map<String, Object>> stuckClaims() {
        return jdbc().queryForList(STUCK, most);
    }

    /** {@return by the name of each invariant that counts or sums, its scopes, the nearest to a violation first} */
    Map<String, List<Map<String, Object>>> margins() {
        Map<String, List<Map<String, Object>>> margins = new LinkedHashMap<>();
        for (SerializationPoint point : points.all()) {
            MarginQuery.of(point.invariant())
                    .ifPresent(query -> margins.put(point.invariant().name(), jdbc().queryForList(query.sql(most))));
        }
        return margins;
    }

    /** {@return by the name of each invariant, in what its guard in the database differs; without those that have none} */
    Map<String, List<String>> guardDrift() throws SQLException {
        Map<String, List<String>> drift = new LinkedHashMap<>();
        for (SerializationPoint point : points.all()) {
            List<Finding> findings = findings(point.invariant());
            boolean none = findings.stream().anyMatch(finding -> finding.kind() == Finding.Kind.NOT_INSTALLED);
            if (!none) {
                drift.put(
                        point.invariant().name(),
                        findings.stream().map(Finding::toString).toList());
            }
        }
        return drift;
    }

    private List<Finding> findings(Invariant invariant) throws SQLException {
        try {
            return Guards.over(dataSource).verify(Guard.of(invariant, GuardOptions.defaults()));
        } catch (GuardNotPossibleException noGuard) {
            return List.of(new Finding(Finding.Kind.NOT_INSTALLED, invariant.name(), "no guard is possible"));
        }
    }
}
