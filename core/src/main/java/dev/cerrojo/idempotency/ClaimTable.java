package dev.cerrojo.idempotency;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A table of claims, asked over a connection or another.
 *
 * @param <E> what is thrown when a statement fails
 */
record ClaimTable<K, R, E extends Exception>(ClaimColumns<K, R> columns, Statements<E> statements) {
    private static final String GIVEN_UP = "its holder gave no sign of life, and it is not known whether it was done";
    private static final int MOST_TRIES = 8;

    /**
     * What a row says.
     *
     * @param staleClaim whose time is over, if it is pending
     */
    private record Found<R>(ClaimAttempt<R> attempt, Optional<ClaimToken> staleClaim) {}

    /**
     * Claims a key; of which a row that others write at the moment is waited for.
     *
     * @param waitUpTo how long; then 55P03 is thrown
     */
    ClaimAttempt<R> claim(K key, RequestHash request, ClaimToken token, ClaimTerms terms, Duration waitUpTo) throws E {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            int number = claimed(key, request, token, terms, waitUpTo);
            if (number > 0) {
                return new ClaimAttempt.Claimed<>(number);
            }
            Optional<Found<R>> found = find(key, request);
            if (found.isPresent() && isLastWord(key, found.orElseThrow(), terms)) {
                return found.orElseThrow().attempt();
            }
        }
        return new ClaimAttempt.InProgress<>(Duration.ZERO);
    }

    private int claimed(K key, RequestHash request, ClaimToken token, ClaimTerms terms, Duration waitUpTo) throws E {
        return statements.query(
                "claiming " + key,
                columns.statements().claim,
                ClaimTable::number,
                with(
                        columns.key(key),
                        request.sha256(),
                        token.hex(),
                        micros(terms.claimFor()),
                        micros(terms.retention()),
                        terms.takeover().name(),
                        Long.toString(Math.max(1, waitUpTo.toMillis()))));
    }

    /** A stale one that may be taken over is claimed again; one that is to fail is looked at again once it has. */
    private boolean isLastWord(K key, Found<R> found, ClaimTerms terms) throws E {
        if (found.staleClaim().isEmpty() || terms.takeover() == Takeover.ASK) {
            return true;
        }
        if (terms.takeover() == Takeover.FAIL) {
            changed(
                    "giving up ",
                    key,
                    columns.statements().giveUp,
                    List.of(GIVEN_UP, micros(terms.retention())),
                    found.staleClaim().orElseThrow());
        }
        return false;
    }

    private Optional<Found<R>> find(K key, RequestHash request) throws E {
        return statements.query(
                "looking for " + key,
                columns.statements().find,
                rows -> rows.next() ? Optional.of(found(rows, request)) : Optional.empty(),
                columns.key(key));
    }

    private Found<R> found(ResultSet row, RequestHash request) throws SQLException {
        if (!RequestHash.fromSha256(row.getBytes("request_hash")).equals(request)) {
            return new Found<>(new ClaimAttempt.Mismatch<>(), Optional.empty());
        }
        return switch (row.getString("status")) {
            case "COMPLETED" -> new Found<>(new ClaimAttempt.Completed<>(columns.result(row)), Optional.empty());
            case "FAILED" -> new Found<>(new ClaimAttempt.Failed<>(row.getString("failure")), Optional.empty());
            default -> pending(row);
        };
    }

    private Found<R> pending(ResultSet row) throws SQLException {
        if (row.getBoolean("stale")) {
            ClaimToken claim = token(row);
            return new Found<>(new ClaimAttempt.Abandoned<>(claim), Optional.of(claim));
        }
        return new Found<>(new ClaimAttempt.InProgress<>(micros(row.getLong("held_for"))), Optional.empty());
    }

    boolean renew(K key, ClaimToken token, Duration claimFor) throws E {
        return changed("renewing the claim of ", key, columns.statements().renew, List.of(micros(claimFor)), token);
    }

    boolean complete(K key, ClaimToken token, R result, Duration retention) throws E {
        List<@Nullable Object> first = new ArrayList<>(List.of(micros(retention)));
        first.addAll(columns.result(result));
        return changed("completing ", key, columns.statements().complete, first, token);
    }

    boolean fail(K key, ClaimToken token, String reason, Duration retention) throws E {
        return changed("failing ", key, columns.statements().fail, List.of(reason, micros(retention)), token);
    }

    boolean forget(K key, ClaimToken token) throws E {
        return changed("forgetting ", key, columns.statements().forget, List.of(), token);
    }

    boolean abandon(K key, ClaimToken token) throws E {
        return changed("abandoning ", key, columns.statements().abandon, List.of(), token);
    }

    private boolean changed(String what, K key, String sql, List<? extends @Nullable Object> first, ClaimToken token)
            throws E {
        List<@Nullable Object> values = new ArrayList<>(first);
        values.addAll(columns.key(key));
        values.add(token.hex());
        return statements.query(what + key, sql, ResultSet::next, values);
    }

    List<StuckClaim> stuck(int most) throws E {
        return statements.query(
                "looking for stuck claims",
                columns.statements().stuck,
                rows -> {
                    List<StuckClaim> stuck = new ArrayList<>();
                    while (rows.next()) {
                        stuck.add(new StuckClaim(
                                rows.getString("key"),
                                token(rows),
                                rows.getInt("claims"),
                                micros(rows.getLong("since"))));
                    }
                    return stuck;
                },
                List.of(most));
    }

    int purge(int most) throws E {
        return statements.query("purging", columns.statements().purge, ClaimTable::number, List.of(most));
    }

    /** {@return the number in the one row; 0 for NULL} */
    private static int number(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getInt(1);
    }

    private static ClaimToken token(ResultSet row) throws SQLException {
        return new ClaimToken(row.getString("claim").replace("-", ""));
    }

    private static List<@Nullable Object> with(List<? extends @Nullable Object> first, Object... more) {
        List<@Nullable Object> values = new ArrayList<>(first);
        values.addAll(List.of(more));
        return values;
    }

    private static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
