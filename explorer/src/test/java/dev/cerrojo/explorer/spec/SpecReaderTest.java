package dev.cerrojo.explorer.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.scenario.ScenarioException;
import dev.cerrojo.explorer.spec.Permutation.Entry;
import dev.cerrojo.explorer.spec.Permutation.Marker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecReaderTest {
    private static final String WHOLE = """
            # first come setups
            setup { CREATE TABLE t (a int); }
            setup
            {
              INSERT INTO t
                VALUES (1);
            }
            teardown { DROP TABLE t; }

            session "s ""1"   # quotes
              setup { BEGIN; }
              step r1 { SELECT * FROM t; }
              step "step" {COMMIT}
              teardown { SELECT 'x # no comment'; }
            session sé$2 step w2\t{ UPDATE t SET a = 2; } step c2 { COMMIT; }

            permutation r1 "step" w2 c2
            permutation w2(*) r1(w2, c2 notices 12) c2
            """;

    @Test
    void everythingHasItsPlace() {
        Spec spec = SpecReader.parse("x.spec", WHOLE);

        assertThat(spec.setups())
                .extracting(SqlBlock::sql)
                .containsExactly("CREATE TABLE t (a int);", "\n  INSERT INTO t\n    VALUES (1);\n");
        assertThat(spec.setups()).extracting(block -> block.at().line()).containsExactly(2, 4);
        assertThat(spec.teardown()).map(SqlBlock::sql).contains("DROP TABLE t;");
        assertThat(spec.sessions()).extracting(SpecSession::name).containsExactly("s \"1", "sé$2");
        SpecSession first = spec.sessions().get(0);
        assertThat(first.setup()).map(SqlBlock::sql).contains("BEGIN;");
        assertThat(first.teardown()).map(SqlBlock::sql).contains("SELECT 'x # no comment';");
        assertThat(first.steps()).extracting(SpecStep::name).containsExactly("r1", "step");
        assertThat(first.steps().get(1).block().sql()).isEqualTo("COMMIT");
        assertThat(first.steps().get(1).block().at().line()).isEqualTo(13);
        assertThat(spec.sessions().get(1).setup()).isEmpty();
    }

    @Test
    void permutationsHaveMarkers() {
        Spec spec = SpecReader.parse("x.spec", WHOLE);

        assertThat(spec.permutations().get(1))
                .isEqualTo(new Permutation(
                        List.of(
                                new Entry("w2", List.of(new Marker.Always())),
                                new Entry("r1", List.of(new Marker.After("w2"), new Marker.Notices("c2", 12))),
                                new Entry("c2", List.of())),
                        18));
    }

    @Test
    void eachChoiceOfStepsIsAProgram() {
        List<SpecProgram> programs = SpecReader.parse("x.spec", WHOLE + "permutation r1 w2 c2 \"step\"\n")
                .programs();

        assertThat(programs).extracting(SpecProgram::number).containsExactly(1, 2);
        assertThat(names(programs.get(0))).containsExactly(List.of("r1", "step"), List.of("w2", "c2"));
        assertThat(names(programs.get(1))).containsExactly(List.of("r1"), List.of("w2", "c2"));
    }

    @Test
    void withoutPermutationsAllStepsAreOneProgram() {
        List<SpecProgram> programs = SpecReader.parse("x.spec", WHOLE.replaceAll("(?m)^permutation.*$", ""))
                .programs();

        assertThat(programs).hasSize(1);
        assertThat(names(programs.get(0))).containsExactly(List.of("r1", "step"), List.of("w2", "c2"));
    }

    private static List<List<String>> names(SpecProgram program) {
        return program.steps().stream()
                .map(steps -> steps.stream().map(SpecStep::name).toList())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            step a { }                                       | x.spec:1: expected is setup, teardown or session, but found was step
            setup x                                          | x.spec:1: expected is SQL in braces, the setup, but found was "x"
            setup { SELECT 1; ~session a                     | x.spec:1: the block of SQL that begins here does not end: a closing } is missing
            setup { } ~step a { }                            | x.spec:2: expected is setup, teardown or session; setups come before all else, but found was step
            teardown { } ~setup { }                          | x.spec:2: expected is session, but found was setup
            session a                                        | x.spec:1: expected is setup or step, but found was the end of the file
            session a setup { } teardown { }                 | x.spec:1: expected is step, but found was teardown
            session step { }                                 | x.spec:1: expected is the session's name (a name that is a keyword must be in double quotes), but found was step
            session 1                                        | x.spec:1: expected is the session's name, but found was 1
            session a step b { } ~setup { }                  | x.spec:2: expected is step, teardown of the session, session, permutation or the end of the file, but found was setup
            session a step b { } ~permutation                | x.spec:2: expected is a step's name, but found was the end of the file
            session a step b { } ~permutation b ~session c   | x.spec:3: expected is permutation or the end of the file, but found was session
            session a step b { } ~permutation b ( b )        | x.spec:2: the step "b" waits for "b", which must be of another session
            session a step b { } ~permutation b()            | x.spec:2: expected is '*' or a step's name, but found was ')'
            session a step b { } ~permutation b(* b)         | x.spec:2: expected is ',' or ')', but found was "b"
            session a step b { } ~permutation b(c notices)   | x.spec:2: expected is a number of notices, but found was ')'
            session a step b { } ~permutation b(c)           | x.spec:2: the step "b" waits for "c", which must be in the same permutation
            session a step open { } ~permutation opn         | x.spec:2: there is no step "opn"; did you mean "open"?
            session a step b { } session c ~step b { }       | x.spec:2: there are two steps "b", the first in session "a"; each must have a name of its own
            session a step b { } session a ~step c { }       | x.spec:2: there are two sessions "a"; each must have a name of its own
            session "a                                       | x.spec:1: the name that begins with "a does not end: a closing " must stand on the same line
            session a-b                                      | x.spec:1: the character '-' has no meaning here; a name with it must be in double quotes
            teardown { }                                     | x.spec: a specification must have 1 to 26 sessions, but this has 0
            """)
    void mistakesAreNamedWithTheirLine(String text, String message) {
        assertThatThrownBy(() -> SpecReader.parse("x.spec", text.replace('~', '\n')))
                .isInstanceOf(ScenarioException.class)
                .hasMessage(message);
    }

    @Test
    void moreThan26SessionsHaveNoLetters() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 27; i++) {
            text.append("session s").append(i).append(" step t").append(i).append(" { }\n");
        }
        assertThatThrownBy(() -> SpecReader.parse("x.spec", text.toString()))
                .hasMessage("x.spec: a specification must have 1 to 26 sessions, but this has 27");
    }

    @Test
    void filesThatCannotBeReadAreNamed(@TempDir Path folder) throws IOException {
        Path latin = Files.write(folder.resolve("latin.spec"), "# é".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> SpecReader.read(folder.resolve("none.spec")))
                .isInstanceOf(ScenarioException.class)
                .hasMessageEndingWith("none.spec: there is no such file");
        assertThatThrownBy(() -> SpecReader.read(latin)).hasMessageEndingWith("the file must be in UTF-8");
        assertThatThrownBy(() -> SpecReader.read(folder)).hasMessageContaining("the file cannot be read");
    }
}
