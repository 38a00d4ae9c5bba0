package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MarginQueryPostgresTest {
    private static final Scope ORG = Scope.table("org", "id");

    private static List<String> margins(Invariant invariant, int most) throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("""
                    CREATE TABLE org (id int PRIMARY KEY, active boolean);
                    CREATE TABLE member (org_id int, admin boolean, balance numeric);
                    INSERT INTO org VALUES (1, true), (2, true), (3, true), (4, false);
                    INSERT INTO member VALUES (1, true, 5), (1, true, -2), (2, true, 1), (2, false, NULL)""");
            return session.rows(MarginQuery.of(invariant).orElseThrow().sql(most));
        }
    }

    @Test
    void nearestScopesComeFirst() throws SQLException {
        Invariant admins = scoped("admins", ORG, "active", new Rule.AtLeast(1, rows("member", "org_id", "admin")));

        assertThat(margins(admins, 10)).containsExactly("3|0|1|-1|t", "2|1|1|0|f", "1|2|1|1|f");
        assertThat(margins(admins, 2)).containsExactly("3|0|1|-1|t", "2|1|1|0|f");
    }

    @Test
    void upperBoundsAreMeasuredFromAbove() throws SQLException {
        Invariant few = scoped("few", ORG, "", new Rule.AtMost(1, rows("member", "org_id", "admin")));

        assertThat(margins(few, 10)).containsExactly("1|2|1|-1|t", "2|1|1|0|f", "3|0|1|1|f", "4|0|1|1|f");
    }

    @Test
    void sumsAreMeasuredToo() throws SQLException {
        Invariant credit = scoped(
                "credit",
                ORG,
                "active",
                new Rule.SumAtLeast(new BigDecimal("-10.5"), "balance", rows("member", "org_id", "")));
        Invariant limit = scoped(
                "limited", ORG, "active", new Rule.SumAtMost(BigDecimal.ZERO, "balance", rows("member", "org_id", "")));

        assertThat(margins(credit, 10)).containsExactly("3|0|-10.5|10.5|f", "2|1|-10.5|11.5|f", "1|3|-10.5|13.5|f");
        assertThat(margins(limit, 1)).containsExactly("1|3|0|-3|t");
    }

    @Test
    void globalScopeIsOneRow() throws SQLException {
        Invariant all = Invariants.global(
                "some", new Rule.AtLeast(1, new Rule.Rows("member", Optional.empty(), Optional.of("false"))));

        assertThat(margins(all, 10)).containsExactly("global|0|1|-1|t");
    }

    /** A scope is violated by this query exactly when it is by the invariant's own. */
    @Test
    void negativeMarginsAreTheViolations() throws SQLException {
        Invariant admins = scoped("admins", ORG, "", new Rule.AtLeast(2, rows("member", "org_id", "admin")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("""
                    CREATE TABLE org (id int PRIMARY KEY); CREATE TABLE member (org_id int, admin boolean);
                    INSERT INTO org SELECT g FROM generate_series(1, 9) AS g;
                    INSERT INTO member SELECT g % 10, g % 3 = 0 FROM generate_series(1, 40) AS g""");

            assertThat(session.rows("SELECT scope FROM (%s) AS m WHERE margin < 0 ORDER BY scope"
                            .formatted(MarginQuery.of(admins).orElseThrow().sql(100))))
                    .isEqualTo(session.rows("SELECT id FROM (%s) AS v ORDER BY id".formatted(admins.violationSql())))
                    .isNotEmpty();
        }
    }

    /** NaN is greater than every bound, and no margin is negative then. */
    @Test
    void whatIsNoNumberIsViolatedToo() throws SQLException {
        Invariant few =
                scoped("few", ORG, "", new Rule.SumAtMost(BigDecimal.ONE, "balance", rows("member", "org_id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("""
                    CREATE TABLE org (id int PRIMARY KEY); CREATE TABLE member (org_id int, balance float);
                    INSERT INTO org VALUES (1), (2); INSERT INTO member VALUES (1, 0), (2, 'NaN')""");

            assertThat(session.rows(MarginQuery.of(few).orElseThrow().sql(1))).containsExactly("2|NaN|1|NaN|t");
            assertThat(session.rows(few.violationSql())).hasSize(1);
        }
    }

    @Test
    void otherRulesHaveNoDistance() {
        assertThat(MarginQuery.of(Invariants.global("u", new Rule.Unique("t", List.of("a"), Optional.empty()))))
                .isEmpty();
    }
}
