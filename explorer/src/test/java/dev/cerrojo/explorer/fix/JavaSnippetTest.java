package dev.cerrojo.explorer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardMigration;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.invariant.Invariant;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written compiles against core, and declares the very invariant. */
class JavaSnippetTest {
    private static final String HEAD = """
            setup: CREATE TABLE t (id int)
            transactions:
              class:
                params: [work]
                scope: work
                steps:
                  - write: "UPDATE t SET id = :work -- \\\\u000a */ é"
              cl-ass:
                params: [work]
                steps:
                  - write: SELECT 1
              drift:
                steps:
                  - commit: true
                  - write: SELECT 1
            run: [class(work=1), cl-ass(work=1), drift()]
            """;

    @TempDir
    private Path folder;

    private static Fix fix(String invariants, String candidate, boolean guarded) {
        Scenario scenario = ScenarioReader.read("a.yaml", HEAD + invariants);
        List<Guard> guards = guarded
                ? scenario.invariants().stream()
                        .map(invariant -> Guard.of(invariant, GuardOptions.defaults()))
                        .toList()
                : List.of();
        return new Fix(
                scenario,
                scenario.invariants(),
                guards,
                guarded ? Optional.of(GuardMigration.of(guards)) : Optional.empty(),
                new Candidate(candidate, candidate, Candidate.Kind.CANDIDATE, "test"),
                Optional.empty());
    }

    private void compile(Fix fix) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Path source = folder.resolve(JavaSnippet.className(fix) + ".java");
            Files.writeString(source, JavaSnippet.of(fix));
            Path core = Path.of(Invariant.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            List<String> options = List.of(
                    "-d",
                    folder.toString(),
                    "-cp",
                    core.toString(),
                    "-proc:none",
                    "-Xlint:all,-processing,-classfile",
                    "--release",
                    "17");
            boolean compiled = compiler.getTask(problems, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as("%s%n%s", problems, JavaSnippet.of(fix)).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Invariant> declared(Fix fix) throws ReflectiveOperationException, IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            Class<?> written = loader.loadClass(JavaSnippet.className(fix));
            List<Invariant> invariants = new java.util.ArrayList<>();
            for (Invariant invariant : fix.invariants()) {
                invariants.add((Invariant)
                        written.getField(JavaNames.constant(invariant.name())).get(null));
            }
            return invariants;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: a, scope: org(id), where: active, at_least: 2, of: member(org_id) where admin and name <> 'é\"'}",
                "{name: a, at_most: 3, of: member}",
                "{name: a, scope: global, sum_at_least: 1.50, of: account.balance}",
                "{name: a, scope: account(id), sum_at_most: -1, of: entry.amount(account_id)}",
                "{name: a, unique: \"card(owner, kind) where is_default\"}",
                "{name: a, no_overlap: \"booking(room WITH =, int4range(since, until) WITH &&) where NOT cancelled\"}",
                "{name: theRule, says: \"a\\nb */ \\\\u002a/\", violated_by: \"SELECT 1 FROM t\\nWHERE id < 0\", watches: [t]}",
                "{name: a, scope: t(id), violated_by: \"SELECT id FROM t WHERE id < 0\", watches: [t(id)]}"
            })
    void everyRuleIsDeclaredAsItIs(String invariant) throws ReflectiveOperationException, IOException {
        Fix fix = fix("invariant: " + invariant + "\n", "touch", true);
        compile(fix);

        assertThat(declared(fix)).isEqualTo(fix.invariants());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "touch",
                "advisory-lock",
                "lock-scope-row",
                "lock-scope-row-for-update",
                "serializable",
                "lock-table"
            })
    void everyWayToGuardCompiles(String candidate) {
        String two = """
                invariants:
                  one: {scope: t(id), at_least: 1, of: u(t_id)}
                  two: {scope: t(id), at_most: 4, of: u(t_id)}
                """;
        compile(fix(two, candidate, true));
        compile(fix(two, candidate, false));
    }

    @Test
    void aConstraintNeedsNothingFirst() {
        Fix fix = fix("invariant: {name: a, unique: t(id)}\n", "native-constraint", true);
        compile(fix);

        assertThat(JavaSnippet.of(fix))
                .contains("transactions.run(work);", "A.refused(failure)")
                .doesNotContain("GuardedTransactions");
    }
}
