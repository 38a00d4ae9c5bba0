package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Planted mistakes: each is one change to a valid file, and gives exactly one problem. */
class ScenarioProblemsTest {
    static final String VALID = """
        isolation: read committed
        retry: 3
        setup: CREATE TABLE t (a int)
        transactions:
          take:
            params: [shift, doctor]
            scope: shift
            isolation: repeatable read
            retry: 1
            atomic: true
            steps:
              - read: SELECT a FROM t WHERE a = :shift
              - check: SELECT :a > 0
                else: no
              - commit: true
              - write: UPDATE t SET a = 1
                autonomous: false
          free: {steps: [{write: DELETE FROM t}]}
        run:
          - take(shift=1, doctor='A')
          - free()
        invariant: SELECT 1 WHERE false
        expect: violated
        repairs:
          - name: lock
            expect: holds
            prepend: {take: [{write: LOCK TABLE t}]}
            replace: {take: {0: {read: SELECT 1 AS a}}}
            isolation: {take: serializable}
            run: [free()]
        """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '~',
            value = {
                // keys
                "retry: 3¦retrys: 3¦x:2: retrys: unknown key \"retrys\"; did you mean \"retry\"? (allowed: id, title,"
                        + " source, class, notes, isolation, retry, setup, transactions, run, runs, invariant,"
                        + " invariants, ownership, faults, scope_rows, expect, repairs)",
                "    params:¦    parms:¦x:6: transactions.take.parms: unknown key \"parms\"; did you mean \"params\"?"
                        + " (allowed: params, scope, isolation, retry, atomic, steps)",
                "        else: no¦        otherwise: no¦x:14: transactions.take.steps[1].otherwise: unknown key"
                        + " \"otherwise\" (allowed: read, check, write, commit, else, autonomous)",
                "retry: 3¦isolation: serializable¦x:2: isolation: duplicate key \"isolation\": it is at line 1 already",
                "retry: 3¦? [a]¦x:2: a key must be a word, but was a list or a map",
                "retry: 3¦<<: {retrys: 3}¦x:2: retrys: unknown key \"retrys\"; did you mean \"retry\"? (allowed: id,"
                        + " title, source, class, notes, isolation, retry, setup, transactions, run, runs, invariant,"
                        + " invariants, ownership, faults, scope_rows, expect, repairs)",
                "retry: 3¦'faults: {crash: 0}'¦x:2: faults.crash: must be a whole number from 1 to 5, but was \"0\"",
                "retry: 3¦'faults: {crash: many}'¦x:2: faults.crash: must be a whole number from 1 to 5, but was"
                        + " \"many\"",
                "retry: 3¦'faults: {crash: 1, lost_answers: 1}'¦x:2: faults.lost_answers: unknown key \"lost_answers\";"
                        + " did you mean \"lost_answer\"? (allowed: crash, lost_answer, client_retries)",
                "retry: 3¦'faults: {client_retries: true}'¦x:2: faults: must have crash or lost_answer, or both: how many"
                        + " of them may happen in one run",
                "retry: 3¦'faults: {crash: 1, client_retries: yes}'¦x:2: faults.client_retries: must be true or false,"
                        + " but was \"yes\"",
                "retry: 3¦'faults: crash'¦x:2: faults: must be a map, but was \"crash\"",
                // types
                "retry: 3¦retry: many¦x:2: retry: must be a whole number from 0 to 100, but was \"many\"",
                "retry: 3¦retry: 101¦x:2: retry: must be a whole number from 0 to 100, but was \"101\"",
                "retry: 3¦retry: -1¦x:2: retry: must be a whole number from 0 to 100, but was \"-1\"",
                "retry: 3¦retry: 2.5¦x:2: retry: must be a whole number from 0 to 100, but was \"2.5\"",
                "retry: 3¦retry: 1e9999999¦x:2: retry: must be a whole number from 0 to 100, but was \"1e9999999\"",
                "retry: 3¦retry:¦x:2: retry: must be a whole number from 0 to 100, but was empty",
                "atomic: true¦atomic: yes¦x:10: transactions.take.atomic: must be true or false, but was \"yes\"",
                "atomic: true¦atomic: !!bool maybe¦x:10: transactions.take.atomic: must be true or false, but was"
                        + " \"maybe\"",
                "setup: CREATE TABLE t (a int)¦setup: [a]¦x:3: setup: must be text, but was a list",
                "setup: CREATE TABLE t (a int)¦setup: 12¦x:3: setup: must be text, but was \"12\"",
                "setup: CREATE TABLE t (a int)¦setup: ''¦x:3: setup: must not be empty",
                "setup: CREATE TABLE t (a int)¦setup: !!binary aGk=¦x:3: setup: must be text, but was of type"
                        + " tag:yaml.org,2002:binary",
                "setup: CREATE TABLE t (a int)¦setup: !java.io.File aGk=¦x:3: setup: must be text, but was of type"
                        + " !java.io.File",
                "retry: 3¦title: [a]¦x:2: title: must be text, but was a list",
                // isolation
                "isolation: read committed¦isolation: read uncommitted¦x:1: isolation: \"read uncommitted\" is not"
                        + " allowed: PostgreSQL runs it as read committed; write that",
                "isolation: read committed¦isolation: repeatable_read¦x:1: isolation: unknown isolation level"
                        + " \"repeatable_read\"; did you mean \"repeatable read\"? (allowed: read committed, repeatable"
                        + " read, serializable)",
                "isolation: repeatable read¦isolation: snapshot¦x:8: transactions.take.isolation: unknown isolation"
                        + " level \"snapshot\" (allowed: read committed, repeatable read, serializable)",
                // transactions
                "scope: shift¦scope: shfit¦x:7: transactions.take.scope: must be a parameter of the transaction, but"
                        + " was \"shfit\"; did you mean \"shift\"? (allowed: shift, doctor)",
                "params: [shift, doctor]¦params: [shift, doctor, shift]¦x:6: transactions.take.params[2]: parameter"
                        + " shift is there twice",
                "params: [shift, doctor]¦params: [shift, doctor, a b]¦x:6: transactions.take.params[2]: a parameter"
                        + " must be a letter or _, then letters, digits or _, but was \"a b\"",
                "params: [shift, doctor]¦params: [shift, doctor, rowcount]¦x:6: transactions.take.params[2]: a"
                        + " parameter must not be named rowcount: a write binds it",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free: {}¦x:18: transactions.free: \"steps\" is missing: a"
                        + " list of read, check, write and commit",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free: {steps: []}¦x:18: transactions.free.steps: must not"
                        + " be empty",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free: {steps: DELETE FROM t}¦x:18:"
                        + " transactions.free.steps: must be a list, but was \"DELETE FROM t\"",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free:¦x:18: transactions.free: must be a map, but was"
                        + " empty",
                // steps
                "commit: true¦commit: false¦x:15: transactions.take.steps[2].commit: must be true: leave the step out"
                        + " for no commit",
                "commit: true¦commit: yes¦x:15: transactions.take.steps[2].commit: must be true or false, but was"
                        + " \"yes\"",
                "- commit: true¦- commit¦x:15: transactions.take.steps[2]: must be a step such as \"read: SELECT …\","
                        + " but was \"commit\"",
                "- commit: true¦- else: no¦x:15: transactions.take.steps[2]: must have one of read, check, write,"
                        + " commit, but had none",
                "- commit: true¦- {read: SELECT 1, write: SELECT 1}¦x:15: transactions.take.steps[2]: must have one of"
                        + " read, check, write, commit, but had read and write",
                "- commit: true¦- {commit: true, autonomous: true}¦x:15: transactions.take.steps[2].autonomous: a"
                        + " commit cannot be autonomous",
                "autonomous: false¦else: no¦x:17: transactions.take.steps[3].else: only a check has \"else\", and this"
                        + " is a write",
                "read: SELECT a FROM t WHERE a = :shift¦read: SELECT a FROM t WHERE a = :shfit¦x:12:"
                        + " transactions.take.steps[0].read: nothing binds :shfit: it is no parameter, and no earlier"
                        + " step reads it; did you mean \"shift\"? (allowed: shift, doctor)",
                "DELETE FROM t}¦DELETE FROM t WHERE a = :a}¦x:18: transactions.free.steps[0].write: nothing binds :a:"
                        + " it is no parameter, and no earlier step reads it; the transaction has no params",
                "DELETE FROM t}¦COMMIT}¦x:18: transactions.free.steps[0].write: must not control the transaction by"
                        + " SQL, but was \"COMMIT\": a transaction begins by itself, and ends behind its last step or with"
                        + " \"commit: true\"",
                "DELETE FROM t}¦DELETE FROM t; SELECT 1}¦x:18: transactions.free.steps[0].write: must be one statement,"
                        + " but was several: make each a step of its own",
                "DELETE FROM t}¦'-- nothing'}¦x:18: transactions.free.steps[0].write: must be an SQL statement, but has"
                        + " only comments",
                "SELECT :a > 0¦':a > 0'¦x:13: transactions.take.steps[1].check: must be an SQL statement such as SELECT"
                        + " :n > 0, but was \":a > 0\"",
                "SELECT :a > 0¦SELECT :a = 'x #y'¦x:13: transactions.take.steps[1].check: is no SQL: a string does not"
                        + " end: it begins with 'x; in YAML \" #\" begins a comment: quote SQL that contains it, or"
                        + " write it as a block with |",
                "SELECT :a > 0¦\"SELECT :a = '\"¦x:13: transactions.take.steps[1].check: is no SQL: a string does not"
                        + " end: it begins with '",
                // runs
                "- free()¦- fre()¦x:21: run[1]: unknown transaction \"fre\"; did you mean \"free\"? (allowed: take,"
                        + " free)",
                "- free()¦- free¦x:21: run[1]: is no run entry: expected \"(\": arguments stand in parentheses, none is"
                        + " free(), but found the end at character 5",
                "- free()¦- free() free()¦x:21: run[1]: is no run entry: expected \";\" and another transaction, or the"
                        + " end, but found \"free()\" at character 8",
                "- free()¦- ;free()¦x:21: run[1]: is no run entry: expected a transaction such as"
                        + " remove_doctor(shift=1), but found \";free()\" at character 1",
                "- free()¦- free(a=1)¦x:21: run[1]: unknown parameter \"a\" of free; it has none",
                "- free()¦- take(shift=1)¦x:21: run[1]: parameter doctor of take is missing: write take(shift=…,"
                        + " doctor=…)",
                "- free()¦- take(shift=1, doctor=2, docter=3)¦x:21: run[1]: unknown parameter \"docter\" of take; did"
                        + " you mean \"doctor\"? (allowed: shift, doctor)",
                "- free()¦- take(shift=1, shift=2)¦x:21: run[1]: is no run entry: parameter shift is given twice",
                "- free()¦- take(shift=1, doctor=A)¦x:21: run[1]: is no run entry: expected a literal: 12, -1.5,"
                        + " 'text', true, false or null, but found \"A)\" at character 22",
                "- free()¦- take(shift=1, doctor='A'::text)¦x:21: run[1]: is no run entry: expected \",\" or \")\", but"
                        + " found \"::text)\" at character 25",
                "- free()¦- take(shift=1, doctor='A¦x:21: run[1]: is no run entry: expected a literal: 12, -1.5,"
                        + " 'text', true, false or null, but found \"'A\" at character 22; quote an entry in a list with ["
                        + " ]",
                "- free()¦'- take(shift=1, doctor=''A: B'')'¦x:21: run[1]: must be text, but was a map: text that"
                        + " contains \": \" must be quoted, or written as a block with |",
                "run: [free()]¦run: []¦x:30: repairs[0].run: must not be empty",
                "setup: CREATE TABLE t (a int)¦runs: [[free()]]¦x:3: runs: only one of \"run\" and \"runs\" is allowed,"
                        + " but both are there",
                // the rest
                "expect: violated¦expect: holds_no_deadlock¦x:23: expect: unknown expectation \"holds_no_deadlock\""
                        + " (allowed: violated, holds, deadlocks)",
                "expect: holds¦expect: violated¦x:26: repairs[0].expect: unknown expectation \"violated\" (allowed:"
                        + " holds, holds_no_deadlock, deadlocks, does_not_hold)",
                "setup: CREATE TABLE t (a int)¦scope_rows: INSERT INTO t VALUES (1)¦x:3: scope_rows: must use :scope,"
                        + " the key of the new scope, but does not",
                "setup: CREATE TABLE t (a int)¦scope_rows: INSERT INTO t VALUES (:scope, :a)¦x:3: scope_rows: must use"
                        + " no other variable than :scope, but uses :a",
                // repairs
                "  - name: lock¦  - notes: lock¦x:25: repairs[0].notes: unknown key \"notes\" (allowed: name, expect,"
                        + " prepend, append, replace, steps, isolation, retry, atomic, run, invariant, setup,"
                        + " setup_append)",
                "prepend: {take:¦prepend: {tkae:¦x:27: repairs[0].prepend.tkae: unknown transaction \"tkae\"; did you"
                        + " mean \"take\"? (allowed: take, free)",
                "{take: {0:¦{take: {4:¦x:28: repairs[0].replace.take.4: step index \"4\" must be 0 to 3: take has 4"
                        + " steps",
                "{take: {0:¦{free: {first:¦x:28: repairs[0].replace.free.first: step index \"first\" must be 0 to 0:"
                        + " free has 1 step",
                "isolation: {take: serializable}¦isolation: {tak: serializable}¦x:29: repairs[0].isolation.tak: unknown"
                        + " transaction \"tak\"; did you mean \"take\"? (allowed: take, free)",
                "{write: LOCK TABLE t}¦{write: SELECT :x}¦x:27: repairs[0].prepend.take[0].write: nothing binds :x: it"
                        + " is no parameter, and no earlier step reads it (allowed: shift, doctor) (in repair \"lock\")",
                "{read: SELECT 1 AS a}¦{write: DELETE FROM t}¦x:13: transactions.take.steps[1].check: nothing binds :a:"
                        + " it is no parameter, and no earlier step reads it (allowed: shift, doctor) (in repair"
                        + " \"lock\")",
                "repairs:¦repairs: x¦x:25: is not valid YAML: mapping values are not allowed here; SQL that contains"
                        + " \": \" or \" #\", or begins with a quote or a sign, must be quoted, or written as a block with"
                        + " |",
            })
    void eachMistakeIsNamed(String valid, String mistake, String problem) {
        assertThat(problems(planted(valid, mistake))).contains(problem);
    }

    /** Most mistakes give one problem only: no mistake makes others up. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '~',
            value = {
                "retry: 3¦retry: many",
                "DELETE FROM t}¦COMMIT}",
                "- commit: true¦- commit",
                "{take: {0:¦{take: {4:",
                "scope: shift¦scope: shfit",
                "- free()¦- fre()",
                "atomic: true¦atomic: yes",
                "SELECT :a > 0¦:a > 0",
                "setup: CREATE TABLE t (a int)¦setup: ''",
                "{read: SELECT 1 AS a}¦{read: 1}",
            })
    void oneMistakeIsOneProblem(String valid, String mistake) {
        assertThat(problems(planted(valid, mistake))).hasSize(1);
    }

    @Test
    void allProblemsOfAFileAreReportedAtOnce() {
        ScenarioException thrown = thrown("""
            isolatoin: serializable
            transactions:
              t: {steps: [{red: SELECT 1}]}
            run: [u()]
            """);

        assertThat(thrown).hasMessage("""
            x:1: isolatoin: unknown key "isolatoin"; did you mean "isolation"? (allowed: id, title, source, class,\
             notes, isolation, retry, setup, transactions, run, runs, invariant, invariants, ownership, faults,\
             scope_rows, expect, repairs)
            x:3: transactions.t.steps[0].red: unknown key "red"; did you mean "read"? (allowed: read, check, write,\
             commit, else, autonomous)
            x:3: transactions.t.steps[0]: must have one of read, check, write, commit, but had none
            x:4: run[0]: unknown transaction "u"; did you mean "t"? (allowed: t)
            """.stripTrailing());
        assertThat(thrown.problems()).hasSize(4);
    }

    @Test
    void missingPartsAreNamed() {
        assertThat(problems("title: x"))
                .containsExactly(
                        "x:1: \"transactions\" is missing: a map name → transaction",
                        "x:1: \"run\" is missing: which transactions run at once");
    }

    @Test
    void aContractWithoutInvariantsSaysNothing() {
        ScenarioException thrown =
                catchThrowableOfType(ScenarioException.class, () -> ScenarioReader.readContract("x", "title: x"));

        assertThat(thrown).hasMessageContaining("\"invariant\" is missing: what must hold when every session is done");
    }

    @Test
    void somethingElseThanAMapIsRefused() {
        assertThat(problems("")).containsExactly("x: is empty");
        assertThat(problems("# only a comment")).containsExactly("x: is empty");
        assertThat(problems("- a"))
                .containsExactly("x:1: must be a map with keys such as setup, transactions, run and"
                        + " invariant, but was a list");
        assertThat(problems("~"))
                .containsExactly("x:1: must be a map with keys such as setup, transactions, run and"
                        + " invariant, but was empty");
    }

    @Test
    void sqlThatYamlMisreadsIsExplained() {
        String hint =
                "; SQL that contains \": \" or \" #\", or begins with a quote or a sign, must be quoted, or written"
                        + " as a block with |";
        assertThat(problems("a:\n  read: SELECT 'a: b' AS c"))
                .containsExactly("x:2: is not valid YAML: mapping values are not allowed here" + hint);
        assertThat(problems("a:\n  check: 'a' = :b"))
                .containsExactly("x:2: is not valid YAML: expected <block end>, but found '<scalar>'" + hint);
        assertThat(problems("a: @b"))
                .singleElement()
                .satisfies(problem -> assertThat(problem)
                        .startsWith("x:1: is not valid YAML: found character '@' that cannot start any token.")
                        .endsWith(hint));
        assertThat(problems("a:\n\tb: 1"))
                .singleElement()
                .satisfies(problem -> assertThat(problem)
                        .startsWith("x:2: is not valid YAML: found character '\\t(TAB)' that cannot start any token.")
                        .endsWith("; indent with spaces"));
    }

    @Test
    void secondDocumentsAreRefused() {
        assertThat(problems("a: 1\n---\nb: 2\n"))
                .containsExactly("x:2: is not valid YAML: but found another document; a file holds one scenario,"
                        + " without a second \"---\"");
    }

    @Test
    void bombsAreRefused() {
        String aliases = "a: &a [x]\nb: [" + "*a, ".repeat(200) + "*a]\n";
        assertThat(problems(aliases))
                .containsExactly("x: is not valid YAML: Number of aliases for non-scalar nodes exceeds the specified"
                        + " max=100");
        assertThat(problems("a: " + "x".repeat(1_100_000)))
                .containsExactly(
                        "x: is not valid YAML: The incoming YAML document exceeds the limit: 1048576 code points.");
        assertThat(problems("a: " + "[".repeat(100_000)))
                .containsExactly("x: is not a scenario: it is nested too deeply");
        assertThat(problems("transactions: &a {t: *a}\nrun: &r [*r]\ninvariant: &i {says: *i}"))
                .isNotEmpty();
    }

    @Test
    void controlCharactersAreRefused() {
        assertThat(problems("a: \u0000b"))
                .singleElement()
                .satisfies(problem -> assertThat(problem).contains("special characters are not allowed"));
    }

    @Test
    void filesThatCannotBeReadAreNamed(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("missing.yaml");
        Path latin = Files.write(folder.resolve("latin.yaml"), "title: é".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(thrown(missing)).hasMessage(missing + ": no such file");
        assertThat(thrown(latin)).hasMessage(latin + ": must be UTF-8 text, but is not");
        assertThat(thrown(folder)).hasMessage(folder + ": is a directory, not a file");
    }

    @Test
    void repairsHaveUniqueNames() {
        assertThat(problems(VALID + "  - name: lock\n  - expect: holds\n"))
                .containsExactly(
                        "x:31: repairs[1]: repair \"lock\" is there twice",
                        "x:32: repairs[2]: \"name\" is missing: what to call the repair");
    }

    @Test
    void runsHaveAtMostOneSessionPerLetter() {
        String many = VALID.replace("  - free()\n", "  - free()\n".repeat(26));

        assertThat(problems(many)).containsExactly("x:20: run: must have 1 to 26 entries, but had 27");
    }

    @Test
    void contractsHaveNoTransactions() {
        ScenarioException thrown = catchThrowableOfType(
                ScenarioException.class, () -> ScenarioReader.readContract("x", "run: [a()]\ninvariants: {}"));

        assertThat(thrown).hasMessage("""
            x:1: run: unknown key "run" (allowed: id, title, source, class, notes, setup, invariant, invariants, ownership)
            x:2: invariants: must not be empty\
            """);
    }

    @Test
    void scenariosThatServeAsContractsAreCheckedAsAWhole() {
        ScenarioException thrown = catchThrowableOfType(
                ScenarioException.class,
                () -> ScenarioReader.readContract("x", VALID.replace("atomic: true", "atomc: true")));

        assertThat(thrown).hasMessageContaining("unknown key \"atomc\"; did you mean \"atomic\"?");
    }

    @Test
    void versionsAreNotReadYet() {
        ScenarioException thrown = catchThrowableOfType(
                ScenarioException.class, () -> ScenarioReader.readContract("x", "invariant: SELECT 1\nversions: {}"));

        assertThat(thrown).hasMessageStartingWith("x:2: versions: is not supported yet");
    }

    /** The valid file with one piece of it, where it comes first, made wrong. */
    static String planted(String valid, String mistake) {
        boolean wrapped = mistake.startsWith("'") && mistake.endsWith("'") && mistake.contains(": ");
        String wrong = wrapped ? mistake.substring(1, mistake.length() - 1).replace("''", "'") : mistake;
        assertThat(VALID).contains(valid);
        return VALID.replaceFirst(Pattern.quote(valid), Matcher.quoteReplacement(wrong));
    }

    private static List<String> problems(String yaml) {
        return thrown(yaml).problems().stream().map(Problem::toString).toList();
    }

    private static ScenarioException thrown(String yaml) {
        return catchThrowableOfType(ScenarioException.class, () -> ScenarioReader.read("x", yaml));
    }

    private static ScenarioException thrown(Path file) {
        return catchThrowableOfType(ScenarioException.class, () -> ScenarioReader.read(file));
    }
}
