package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static dev.cerrojo.invariant.Invariants.violatedBy;
import static dev.cerrojo.invariant.Invariants.watch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.postgresql.util.PSQLException;

/** The guard must refuse a statement exactly when its result, seen without the guard, breaks the invariant. */
class TriggerGuardRandomPostgresTest {
    private static final int STATEMENTS = 200;
    private static final Scope PARENT = Scope.table("parent", "id");
    private static final Rule.Rows COUNTED = rows("child", "parent_id", "active");

    static final List<Invariant> INVARIANTS = List.of(
            scoped("at_least", PARENT, "active", new Rule.AtLeast(2, COUNTED)),
            scoped("at_most", PARENT, "active", new Rule.AtMost(2, COUNTED)),
            scoped("sum_at_least", PARENT, "active", new Rule.SumAtLeast(BigDecimal.ONE, "amount", COUNTED)),
            scoped("sum_at_most", PARENT, "active", new Rule.SumAtMost(BigDecimal.ONE, "amount", COUNTED)),
            scoped(
                    "sum_of_own",
                    PARENT,
                    "active",
                    new Rule.SumAtMost(BigDecimal.valueOf(3), "amount", rows("parent", "id", ""))),
            scoped(
                    "declared",
                    PARENT,
                    "active",
                    violatedBy(
                            "SELECT p.id FROM parent p WHERE NOT EXISTS (SELECT 1 FROM child c WHERE c.parent_id = p.id AND"
                                    + " c.active IS NOT FALSE)",
                            watch("child", "parent_id"))));

    @ParameterizedTest
    @FieldSource("INVARIANTS")
    void refusesExactlyWhatBreaksTheInvariant(Invariant invariant) throws SQLException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE parent (id int, active boolean, amount numeric)");
            session.run("CREATE TABLE child (parent_id int, active boolean, amount numeric)");
            session.run(TriggerGuard.of(invariant, GuardOptions.defaults()).installStatements());
            for (int i = 0; i < STATEMENTS; i++) {
                String statement = statement(random);
                boolean breaks = breaks(session, invariant, statement);
                assertThat(isRefused(session, statement))
                        .as("%s, after %d statements with seed %d", statement, i, seed)
                        .isEqualTo(breaks);
                refused += breaks ? 1 : 0;
            }
        }
        assertThat(refused).as("refused with seed %d", seed).isBetween(1, STATEMENTS - 1);
    }

    private static boolean breaks(Session session, Invariant invariant, String statement) throws SQLException {
        session.run("BEGIN; SET LOCAL session_replication_role = replica");
        session.run(statement);
        boolean breaks = !session.rows(invariant.violationSql()).isEmpty();
        session.run("ROLLBACK");
        return breaks;
    }

    private static boolean isRefused(Session session, String statement) throws SQLException {
        try {
            session.run(statement);
            return false;
        } catch (PSQLException failure) {
            assertThat(failure.getSQLState()).as(statement).isEqualTo("23514");
            return true;
        }
    }

    private static String statement(Random random) {
        String table = random.nextInt(3) == 0 ? "parent" : "child";
        String key = table.equals("parent") ? "id" : "parent_id";
        String where = random.nextBoolean()
                ? "ctid IN (SELECT ctid FROM %s ORDER BY md5(ctid::text || %d) LIMIT %d)"
                        .formatted(table, random.nextInt(100), 1 + random.nextInt(3))
                : "%s = %s AND active IS NOT DISTINCT FROM %s".formatted(key, key(random), active(random));
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> "INSERT INTO " + table + " VALUES " + rowsToInsert(random);
            case 4, 5 -> "UPDATE %s SET active = %s WHERE %s".formatted(table, active(random), where);
            case 6 ->
                "UPDATE %s SET amount = %s, %s = %s WHERE %s".formatted(table, amount(random), key, key(random), where);
            case 7, 8 -> "DELETE FROM %s WHERE %s".formatted(table, where);
            default -> random.nextInt(5) == 0 ? "TRUNCATE " + table : "DELETE FROM " + table + " WHERE NOT active";
        };
    }

    private static String rowsToInsert(Random random) {
        return IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(i -> "(%s, %s, %s)".formatted(key(random), active(random), amount(random)))
                .collect(Collectors.joining(", "));
    }

    private static String key(Random random) {
        return random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(4));
    }

    private static String active(Random random) {
        return List.of("true", "true", "false", "NULL").get(random.nextInt(4));
    }

    private static String amount(Random random) {
        return random.nextInt(12) == 0
                ? List.of("NULL", "'NaN'").get(random.nextInt(2))
                : Integer.toString(random.nextInt(-3, 6));
    }
}
