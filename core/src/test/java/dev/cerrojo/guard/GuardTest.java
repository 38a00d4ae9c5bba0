package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.element;
import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static dev.cerrojo.invariant.Invariants.violatedBy;
import static dev.cerrojo.invariant.Invariants.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Invariants;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuardTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();
    private static final Invariant UNIQUE = global("one", new Rule.Unique("t", List.of("a", "B"), Optional.empty()));

    @Test
    void constraintOfPostgresIsPreferred() {
        assertThat(Guard.of(UNIQUE, DEFAULTS)).isInstanceOf(NativeConstraint.class);
        assertThat(Guard.of(global("x", new Rule.AtMost(1, rows("t", "", ""))), DEFAULTS))
                .isInstanceOf(NativeConstraint.class);
        assertThat(Guard.of(global("x", new Rule.AtMost(2, rows("t", "", ""))), DEFAULTS))
                .isInstanceOf(TriggerGuard.class);
        assertThat(Guard.of(
                        scoped("x", Scope.table("s", "id"), "active", new Rule.AtMost(1, rows("t", "s_id", ""))),
                        DEFAULTS))
                .isInstanceOf(TriggerGuard.class);
    }

    @Test
    void nativeStatementsAreTheOnesOneWouldWrite() {
        assertThat(Guard.of(UNIQUE, DEFAULTS).installStatements())
                .contains("CREATE UNIQUE INDEX one ON public.t (a, b)");
        assertThat(Guard.of(UNIQUE, DEFAULTS.withDeferred(true)).installStatements())
                .contains("ALTER TABLE public.t ADD CONSTRAINT one EXCLUDE USING btree (a WITH =, b WITH =)"
                        + " DEFERRABLE INITIALLY DEFERRED");
        Rule overlap =
                new Rule.NoOverlap("app.t", List.of(element("tsrange(a, b)", "&&")), Optional.of("NOT cancelled"));
        assertThat(Guard.of(global("x", overlap), DEFAULTS).installStatements())
                .noneMatch(sql -> sql.contains("EXTENSION"))
                .contains("ALTER TABLE app.t ADD CONSTRAINT x EXCLUDE USING gist ((tsrange(a, b)) WITH &&)"
                        + " WHERE (NOT cancelled)");
        assertThat(Guard.of(UNIQUE, DEFAULTS).dropStatements())
                .containsExactly(
                        "ALTER TABLE IF EXISTS public.t DROP CONSTRAINT IF EXISTS one",
                        "DROP INDEX IF EXISTS public.one");
    }

    @Test
    void whatCannotBeGuardedIsRefusedWithTheReason() {
        assertThatThrownBy(() -> Guard.of(global("x", violatedBy("SELECT 1")), DEFAULTS))
                .isInstanceOf(GuardNotPossibleException.class)
                .hasMessage("invariant x is plain SQL, so Cerrojo does not know which tables can break it: list them as"
                        + " watches");
        assertThatThrownBy(() -> TriggerGuard.of(UNIQUE, DEFAULTS))
                .isInstanceOf(GuardNotPossibleException.class)
                .hasMessageContaining("use NativeConstraint");
        assertThatThrownBy(() -> NativeConstraint.of(Invariants.onCallCoverage(), DEFAULTS))
                .isInstanceOf(GuardNotPossibleException.class)
                .hasMessageContaining("use TriggerGuard");
    }

    @Test
    void scriptIsTheSameEachTime() {
        String script = Guard.of(Invariants.onCallCoverage(), DEFAULTS).installSql();

        assertThat(Guard.of(Invariants.onCallCoverage(), DEFAULTS).installSql()).isEqualTo(script);
        assertThat(script)
                .startsWith("-- Guard of invariant on_call_coverage: every active shift keeps a doctor.\n")
                .contains("\n\nCREATE CONSTRAINT TRIGGER on_call_coverage AFTER INSERT OR UPDATE ON cerrojo.guard\n")
                .endsWith(";\n");
    }

    @Test
    void sayingCannotEscapeFromItsComment() {
        Invariant invariant = new Invariant(
                "x",
                "first\nDROP TABLE t; $cerrojo$ 'quoted'",
                Scope.global(),
                Optional.empty(),
                new Rule.AtLeast(1, rows("t", "", "")));

        assertThat(Guard.of(invariant, DEFAULTS).installSql())
                .startsWith("-- Guard of invariant x: first DROP TABLE t; $cerrojo$ 'quoted'.\n")
                .contains("$cerrojo1$")
                .contains("''quoted''");
    }

    @Test
    void namesFitIntoWhatPostgresKeeps() {
        String longest = "x".repeat(40);
        String table = '"' + "t".repeat(63) + '"';
        Invariant invariant = scoped(
                longest,
                Scope.table(table, "id"),
                "",
                violatedBy("SELECT 1", watch("\"" + "t".repeat(62) + "u\"", "id"), watch("other." + table, "id")));

        List<String> names = Pattern.compile("CREATE (?:CONSTRAINT )?(?:TRIGGER|FUNCTION) (?:cerrojo\\.)?(\\w+)")
                .matcher(Guard.of(invariant, DEFAULTS).installSql())
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
        assertThat(names).hasSizeGreaterThan(4).allMatch(name -> name.length() <= 63);
        assertThat(names.stream().filter(name -> name.contains("_touch_")))
                .doesNotHaveDuplicates()
                .hasSize(3);
    }
}
