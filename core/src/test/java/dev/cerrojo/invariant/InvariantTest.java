package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static dev.cerrojo.invariant.Invariants.violatedBy;
import static dev.cerrojo.invariant.Invariants.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InvariantTest {
    private static final Scope SHIFT = Scope.table("shift", "id");

    @ParameterizedTest
    @ValueSource(strings = {"", "1x", "on-call", "on call", "año", "x23456789012345678901234567890123456789_1"})
    void nameThatIsNoneIsRefused(String name) {
        assertRefused(
                () -> Invariants.atLeastOneDoctor(name),
                "name of an invariant must be a letter, then letters, digits and underscores, at most 40, but was: "
                        + name);
    }

    @Test
    void nameOfFortyCharactersIsAccepted() {
        assertThatCode(() -> Invariants.atLeastOneDoctor("x".repeat(40))).doesNotThrowAnyException();
    }

    @Test
    void whereWithASubQueryNeedsWatches() {
        String where = "active AND EXISTS (SELECT 1 FROM ward)";
        Rule counting = new Rule.AtLeast(1, rows("on_call", "shift_id", ""));

        assertRefused(
                () -> scoped("x", SHIFT, where, counting),
                "where of invariant x must read one row only, but has a sub-query: " + where);
        assertRefused(
                () -> scoped("x", SHIFT, where, violatedBy("SELECT id FROM shift")), "as violated_by, with watches");
        assertRefused(() -> rows("on_call", "", where), "where of on_call must read one row only");
        assertRefused(
                () -> new Rule.Unique("t", List.of("a"), Optional.of(where)),
                "where of unique on t must read one row only");
        assertThatCode(() ->
                        scoped("x", SHIFT, where, violatedBy("SELECT id FROM shift", watch("on_call", "shift_id"))))
                .doesNotThrowAnyException();
    }

    @Test
    void whereIsOneExpression() {
        assertRefused(
                () -> scoped("x", SHIFT, "a) OR (b", new Rule.AtLeast(1, rows("t", "s", ""))),
                "where of invariant x must be one SQL expression, but has parentheses that do not match: a) OR (b");
    }

    @Test
    void whereNeedsScopeRows() {
        assertRefused(
                () -> scoped("x", Scope.global(), "active", new Rule.AtLeast(1, rows("t", "", ""))),
                "but its scope is global: give it a scope such as shift(id)");
        assertRefused(
                () -> scoped("x", SHIFT, "active", new Rule.Unique("t", List.of("a"), Optional.empty())),
                "unique and no_overlap have none: write the condition into the rule");
    }

    @Test
    void scopeAndScopeColumnGoTogether() {
        assertRefused(
                () -> scoped("x", SHIFT, "", new Rule.AtMost(1, rows("on_call", "", ""))),
                "its rule must say which column of on_call names the scope, such as on_call(shift_id)");
        assertRefused(
                () -> global("x", new Rule.AtMost(1, rows("on_call", "shift_id", ""))),
                "but it counts by shift_id: leave the column out or give the invariant a scope");
    }

    @Test
    void scopeAndScopesOfWatchesGoTogether() {
        assertRefused(
                () -> scoped("x", SHIFT, "", violatedBy("SELECT 1", watch("on_call", ""))),
                "its watch on_call must tell which scope a changed row is about, such as on_call(shift_id)");
        assertRefused(
                () -> global("x", violatedBy("SELECT 1", watch("on_call", "shift_id"))),
                "its watch on_call must not name a scope");
    }

    @Test
    void boundsThatSayNothingAreRefused() {
        assertRefused(() -> new Rule.AtLeast(0, rows("t", "", "")), "at_least must be 1 or more");
        assertRefused(() -> new Rule.AtMost(-1, rows("t", "", "")), "at_most must be 0 or more");
        assertThatCode(() -> new Rule.SumAtLeast(new BigDecimal("-5"), "x", rows("t", "", "")))
                .doesNotThrowAnyException();
    }

    @Test
    void tablesAndColumnsAreNames() {
        assertRefused(() -> Scope.table("shift s", "id"), "table of the scope must be a table name, such as on_call");
        assertRefused(() -> Scope.table("shift", "s.id"), "must be a column name without its table, but was s.id");
        assertRefused(() -> rows("t; DROP TABLE t", "", ""), "table of the counted rows must be a table name");
        assertRefused(() -> rows("t", "a b", ""), "scope column of t must be a column name");
        assertRefused(() -> new Rule.Unique("t", List.of("lower(a)"), Optional.empty()), "must be a column name");
        assertRefused(() -> new Rule.Unique("t", List.of(), Optional.empty()), "must name at least one column");
        assertRefused(() -> watch("t t", ""), "table of a watch must be a table name");
    }

    @Test
    void operatorsAreOperators() {
        for (String operator : new String[] {"", "=)", "AND", "--", "/*"}) {
            assertRefused(
                    () -> element("a", operator), "must be an SQL operator, such as = or &&, but was: " + operator);
        }
        assertRefused(() -> new Rule.NoOverlap("t", List.of(), Optional.empty()), "must have at least one element");
    }

    @Test
    void violatedByIsOneQuery() {
        assertRefused(() -> violatedBy("SELECT 1; DELETE FROM t"), "must be one query that returns the violating rows");
        assertThat(global("x", violatedBy("SELECT 1 ; \n")).violationSql()).isEqualTo("SELECT 1");
    }

    private static void assertRefused(ThrowingCallable code, String message) {
        assertThatThrownBy(code).isInstanceOf(InvalidInvariantException.class).hasMessageContaining(message);
    }

    /** A word of the rule in another constraint's message is not this rule's refusal. */
    @Test
    void otherConstraintsWithTheSameWordsAreNotItsRefusal() {
        Invariant invariant = Invariant.named("no_debt").says("balance").atLeast(1, Rule.Rows.of("account"));

        assertThat(invariant.refused(new SQLException("ERROR: balance", "23514")))
                .isTrue();
        assertThat(invariant.refused(new SQLException("ERROR: balance (account id = 7)", "23514")))
                .isTrue();
        assertThat(invariant.refused(new SQLException(
                        "ERROR: new row for relation \"account\" violates check constraint \"balance_positive\"",
                        "23514")))
                .isFalse();
    }
}
