package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InvariantReaderTest {
    @Test
    void readsPlainSqlAsTheViolatingRows() {
        assertThat(invariant("SELECT id FROM t"))
                .isEqualTo(new Invariant(
                        "invariant",
                        "",
                        new Scope.Global(),
                        Optional.empty(),
                        new Rule.ViolatedBy("SELECT id FROM t", List.of())));
    }

    @Test
    void readsCountsInAScopeAndGlobally() {
        assertThat(invariant("{scope: app.shift(id), at_most: 3, of: 'app.\"On Call\"(\"Shift\")'}"))
                .isEqualTo(new Invariant(
                        "invariant",
                        "",
                        new Scope.Table("app.shift", "id"),
                        Optional.empty(),
                        new Rule.AtMost(
                                3, new Rule.Rows("app.\"On Call\"", Optional.of("\"Shift\""), Optional.empty()))));
        assertThat(invariant("{scope: global, at_least: 1, of: users WHERE active AND note <> 'where'}")
                        .rule())
                .isEqualTo(new Rule.AtLeast(
                        1, new Rule.Rows("users", Optional.empty(), Optional.of("active AND note <> 'where'"))));
    }

    @Test
    void readsSums() {
        assertThat(invariant("{scope: account(id), sum_at_least: -0.5, of: entry.amount(account_id) where booked}")
                        .rule())
                .isEqualTo(new Rule.SumAtLeast(
                        new BigDecimal("-0.5"),
                        "amount",
                        new Rule.Rows("entry", Optional.of("account_id"), Optional.of("booked"))));
        assertThat(invariant("{sum_at_most: 300, of: bank.account.balance}").rule())
                .isEqualTo(new Rule.SumAtMost(
                        new BigDecimal("300"),
                        "balance",
                        new Rule.Rows("bank.account", Optional.empty(), Optional.empty())));
    }

    @Test
    void readsNativeRules() {
        assertThat(invariant("{unique: 'voucher(shop, \"Code\") where not used'}")
                        .rule())
                .isEqualTo(new Rule.Unique("voucher", List.of("shop", "\"Code\""), Optional.of("not used")));
        assertThat(invariant("{no_overlap: 'booking(room WITH =, tsrange(starts, ends) with &&) where active'}")
                        .rule())
                .isEqualTo(new Rule.NoOverlap(
                        "booking",
                        List.of(
                                new Rule.NoOverlap.Element("room", "="),
                                new Rule.NoOverlap.Element("tsrange(starts, ends)", "&&")),
                        Optional.of("active")));
    }

    @Test
    void readsViolatedByWithWatches() {
        assertThat(invariant("""

              scope: orgs(id)
              violated_by: SELECT id FROM orgs
              watches:
                - members((org_id + 0))
                - orgs(id)
            """).rule())
                .isEqualTo(new Rule.ViolatedBy(
                        "SELECT id FROM orgs",
                        List.of(
                                new Rule.Watch("members", Optional.of("(org_id + 0)")),
                                new Rule.Watch("orgs", Optional.of("id")))));
    }

    @Test
    void turnsACountOverSeveralTablesIntoAQueryThatWatchesThem() {
        Invariant invariant = invariant("""

              name: last_manager
              at_least: 1
              of: users where active and role_id in (select id from roles where may_create) -- yes
              watches: [roles]
            """);

        Rule.ViolatedBy rule = (Rule.ViolatedBy) invariant.rule();
        assertThat(rule.sql())
                .contains("(active and role_id in (select id from roles where may_create) -- yes\n)")
                .doesNotContain("cerrojo_condition");
        assertThat(rule.watches().stream().map(Rule.Watch::table)).containsExactly("roles", "users");
    }

    @Test
    void keepsTheConditionOnScopeRowsInSuchAQuery() {
        Invariant invariant = invariant("""

              scope: shift(id)
              where: region in (select id from region where open)
              at_least: 1
              of: on_call(shift_id)
              watches: ['region((select 1))']
            """);

        Rule.ViolatedBy rule = (Rule.ViolatedBy) invariant.rule();
        assertThat(rule.sql()).contains("(region in (select id from region where open)\n)");
        assertThat(invariant.where()).isEmpty();
        assertThat(rule.watches())
                .containsExactly(
                        new Rule.Watch("region", Optional.of("(select 1)")),
                        new Rule.Watch("on_call", Optional.of("shift_id")),
                        new Rule.Watch("shift", Optional.of("id")));
    }

    @Test
    void readsSeveralInvariantsByName() {
        String yaml = ScenarioReaderTest.minimal("").replace("invariant: SELECT 1 WHERE false", """
            invariants:
              one: SELECT 1 WHERE false
              two: {name: two, says: two things, at_least: 1, of: t}
            """);

        assertThat(ScenarioReader.read("x", yaml).invariants().stream().map(Invariant::name))
                .containsExactly("one", "two");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "UPDATE t SET a = 1|invariant: must be a query that returns the violating rows, but was \"UPDATE t SET"
                        + " a = 1\"",
                "[a]|invariant: must be text, but was a list",
                "{at_least: 1}|invariant: \"of\" is missing: a table in global scope, such as users where active",
                "{at_least: 1, of: users(id)}|invariant.of: must be a table in global scope, such as users where"
                        + " active, but was \"users(id)\"",
                "{scope: shift(id), at_least: 1, of: on_call}|invariant.of: must be a table and its scope column, such"
                        + " as on_call(shift_id) where active, but was \"on_call\"",
                "{at_least: 1, of: t where}|invariant.of: must be a table in global scope, such as users where active,"
                        + " but was \"t where\": \"where\" and a condition, or the end, must follow \"t\"",
                "{at_least: 1, of: t whre a}|invariant.of: must be a table in global scope, such as users where active,"
                        + " but was \"t whre a\": \"where\" and a condition, or the end, must follow \"t\"",
                "{at_least: 0, of: t}|invariant.at_least: must be a whole number of at least 1, but was \"0\"",
                "{at_most: 1.5, of: t}|invariant.at_most: must be a whole number of at least 0, but was \"1.5\"",
                "{sum_at_most: many, of: t.a}|invariant.sum_at_most: must be a number of at most 100 digits,"
                        + " but was \"many\"",
                "{sum_at_most: 1e999999999, of: t.a}|invariant.sum_at_most: must be a number of at most 100 digits,"
                        + " but was \"1e999999999\"",
                "{sum_at_most: 1, of: t}|invariant.of: must be a table and a column in global scope, such as"
                        + " account.balance where active, but was \"t\"",
                "{at_least: 1, at_most: 2, of: t}|invariant: must have one of at_least, at_most, sum_at_least,"
                        + " sum_at_most, unique, no_overlap, violated_by, but had at_least and at_most",
                "{says: nothing}|invariant: must have one of at_least, at_most, sum_at_least, sum_at_most, unique,"
                        + " no_overlap, violated_by, but had none",
                "{unique: t(a), of: t}|invariant.of: only at_least, at_most, sum_at_least, sum_at_most have \"of\", and"
                        + " this is unique",
                "{unique: t}|invariant.unique: must be a table and its columns, such as voucher(code) where active, but"
                        + " was \"t\"",
                "{unique: 't(lower(a))'}|invariant.unique: must be a table and its columns, such as voucher(code) where"
                        + " active, but was \"t(lower(a))\"",
                "{no_overlap: 't(a, b WITH &&)'}|invariant.no_overlap: must be a table and its elements, such as"
                        + " booking(room WITH =, during WITH &&), but was \"t(a, b WITH &&)\"",
                "{no_overlap: 't(a WITH ='}|invariant.no_overlap: must be a table and its elements, such as"
                        + " booking(room WITH =, during WITH &&), but was \"t(a WITH =\": \")\" is missing",
                "{scope: shift, at_least: 1, of: t}|invariant.scope: must be a table and its key such as shift(id), or"
                        + " global, but was \"shift\"",
                "{scope: 'shift(id) where a', at_least: 1, of: t}|invariant.scope: must be a table and its key such as"
                        + " shift(id), or global, but was \"shift(id) where a\"",
                "{at_lest: 1, of: t}|invariant.at_lest: unknown key \"at_lest\"; did you mean \"at_least\"? (allowed:"
                        + " name, says, scope, where, at_least, at_most, sum_at_least, sum_at_most, of, unique,"
                        + " no_overlap, violated_by, watches)",
                "{name: 1st, at_least: 1, of: t}|invariant.name: a name must be a letter, then letters, digits and _,"
                        + " at most 40, but was \"1st\"",
                "{at_least: 1, of: t where a in (select 1)}|invariant.of: contains a sub-query, so it is not known"
                        + " which changes can violate the rule: list the tables it reads under \"watches\", such as"
                        + " [on_call(shift_id)]",
                "{scope: s(id), where: exists (table x), at_least: 1, of: t(a)}|invariant.where: contains a sub-query,"
                        + " so it is not known which changes can violate the rule: list the tables it reads under"
                        + " \"watches\", such as [on_call(shift_id)]",
                "{violated_by: SELECT 1, watches: [t(a)]}|invariant.watches[0]: must be a table in global scope, such"
                        + " as users, but was \"t(a)\"",
                "{scope: s(id), violated_by: SELECT 1, watches: [t]}|invariant.watches[0]: must be a table and the"
                        + " scope of its rows, such as on_call(shift_id), but was \"t\"",
                "{violated_by: SELECT 1, watches: []}|invariant.watches: must not be empty",
                "{unique: t(a), watches: [t]}|invariant.watches: unique reads its own table only: leave it out",
            })
    void saysWhatIsWrong(String yaml, String message) {
        assertThat(problems("invariant: " + yaml)).contains("x:4: " + message);
    }

    @Test
    void conditionsOfTheRuleItselfAreCheckedByTheInvariant() {
        assertThat(problems("invariant: {where: a, at_least: 1, of: t}"))
                .singleElement()
                .satisfies(problem -> assertThat(problem)
                        .contains("where of invariant invariant tells which scope rows it applies to, but its"
                                + " scope is global"));
        assertThat(problems("invariant: {unique: t(a) where a in (select 1)}"))
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("has a sub-query"));
    }

    @Test
    void namesUnderInvariantsAreChecked() {
        assertThat(problems("invariants: {a-b: SELECT 1, c: {name: d, at_least: 1, of: t}}"))
                .contains(
                        "x:4: invariants.a-b: a name must be a letter, then letters, digits and _, at most 40, but was"
                                + " \"a-b\"",
                        "x:4: invariants.c.name: must be the key \"c\", or be left out");
        assertThat(problems("invariants: {}")).containsExactly("x:4: invariants: must not be empty");
    }

    private static Invariant invariant(String yaml) {
        String file = ScenarioReaderTest.minimal("").replace("SELECT 1 WHERE false", yaml);
        return ScenarioReader.read("x", file).invariants().get(0);
    }

    private static List<String> problems(String invariant) {
        String file = ScenarioReaderTest.minimal("").replace("invariant: SELECT 1 WHERE false", invariant);
        ScenarioException thrown = catchThrowableOfType(ScenarioException.class, () -> ScenarioReader.read("x", file));
        return thrown.problems().stream().map(Problem::toString).toList();
    }
}
