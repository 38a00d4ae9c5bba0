package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.Error;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class ScenarioSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PackagedSchema SCHEMA = PackagedSchema.named("scenario.schema.json");

    @Test
    void documentationHasTheSchemaOfTheJar() throws IOException {
        assertThat(SCHEMA.documented()).isEqualTo(SCHEMA.text());
    }

    @Test
    void isASchema() {
        assertThat(SCHEMA.problems()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource({"dev.cerrojo.explorer.scenario.Corpus#examples", "dev.cerrojo.explorer.scenario.Corpus#facts"})
    void ownFilesAreValid(Path file) throws IOException {
        assertThat(errors(Files.readString(file))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.cerrojo.explorer.scenario.Corpus#files")
    void corpusFilesAreValid(Path file) throws IOException {
        assertThat(errors(Files.readString(file))).isEmpty();
    }

    @Test
    void theFileOfTheReaderTestIsValid() {
        assertThat(errors(ScenarioReaderTest.ON_CALL)).isEmpty();
        assertThat(errors(ScenarioProblemsTest.VALID)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '~',
            value = {
                "retry: 3¦retrys: 3",
                "    params:¦    parms:",
                "        else: no¦        otherwise: no",
                "retry: 3¦'faults: {crash: 0}'",
                "retry: 3¦'faults: {crash: many}'",
                "retry: 3¦'faults: {crash: 1, lost_answers: 1}'",
                "retry: 3¦'faults: {client_retries: true}'",
                "retry: 3¦'faults: {crash: 1, client_retries: maybe}'",
                "retry: 3¦'faults: crash'",
                "retry: 3¦retry: many",
                "retry: 3¦retry: 101",
                "retry: 3¦retry: 2.5",
                "retry: 3¦title: [a]",
                "atomic: true¦atomic: yes",
                "setup: CREATE TABLE t (a int)¦setup: 12",
                "setup: CREATE TABLE t (a int)¦setup: ''",
                "isolation: read committed¦isolation: read uncommitted",
                "isolation: repeatable read¦isolation: repeatable_read",
                "params: [shift, doctor]¦params: [shift, shift]",
                "params: [shift, doctor]¦params: [shift, a b]",
                "params: [shift, doctor]¦params: [shift, rowcount]",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free: {}",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free: {steps: []}",
                "  free: {steps: [{write: DELETE FROM t}]}¦  free: {steps: DELETE FROM t}",
                "commit: true¦commit: false",
                "- commit: true¦- commit",
                "- commit: true¦- else: no",
                "- commit: true¦- {read: SELECT 1, write: SELECT 1}",
                "- commit: true¦- {commit: true, autonomous: true}",
                "autonomous: false¦else: no",
                "- free()¦- free",
                "run: [free()]¦run: []",
                "setup: CREATE TABLE t (a int)¦runs: [[free()]]",
                "expect: violated¦expect: holds_no_deadlock",
                "expect: holds¦expect: violated",
                "setup: CREATE TABLE t (a int)¦scope_rows: INSERT INTO t VALUES (1)",
                "  - name: lock¦  - notes: lock",
                "{take: {0:¦{free: {first:",
                "setup: CREATE TABLE t (a int)¦'invariants: {a: SELECT 1}'",
                "SELECT 1 WHERE false¦{at_least: 1}",
                "SELECT 1 WHERE false¦{at_least: 0, of: t}",
                "SELECT 1 WHERE false¦{at_least: 1, at_most: 2, of: t}",
                "SELECT 1 WHERE false¦{says: nothing}",
                "SELECT 1 WHERE false¦{unique: t(a), of: t}",
                "SELECT 1 WHERE false¦{unique: t(a), watches: [t]}",
                "SELECT 1 WHERE false¦{violated_by: SELECT 1, watches: []}",
                "SELECT 1 WHERE false¦{name: 1st, at_least: 1, of: t}",
            })
    void plantedMistakesAreInvalid(String valid, String mistake) {
        assertThat(errors(ScenarioProblemsTest.planted(valid, mistake))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            value = {
                "/properties¦title: a¦nonsense: 1",
                "/$defs/transaction/properties¦atomic: true¦nonsense: 1",
                "/$defs/step/properties¦- commit: true¦- {commit: true, nonsense: 1}",
                "/$defs/rule/properties¦SELECT 1 WHERE false¦{at_least: 1, of: t, nonsense: 1}",
                "/$defs/repair/properties¦name: lock¦nonsense: 1",
            })
    void hasTheKeysOfTheReader(String pointer, String valid, String mistake) {
        String yaml = "title: a\n" + ScenarioProblemsTest.VALID;
        ScenarioException thrown = catchThrowableOfType(
                ScenarioException.class, () -> ScenarioReader.read("x", yaml.replace(valid, mistake)));
        String message = thrown.problems().stream()
                .map(Problem::message)
                .filter(text -> text.contains("(allowed: "))
                .findFirst()
                .orElseThrow();
        String keys = message.substring(message.indexOf("(allowed: ") + 10, message.length() - 1);

        JsonNode properties = JSON.readTree(SCHEMA.text()).at(pointer);
        assertThat(properties.propertyNames()).containsExactlyInAnyOrder(keys.split(", "));
    }

    private static List<Error> errors(String yaml) {
        return SCHEMA.errors(yaml);
    }
}
