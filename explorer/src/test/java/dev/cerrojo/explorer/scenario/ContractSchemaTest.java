package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class ContractSchemaTest {
    private static final PackagedSchema SCHEMA = PackagedSchema.named("contract.schema.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void documentationHasTheSchemaOfTheJar() throws IOException {
        assertThat(SCHEMA.documented()).isEqualTo(SCHEMA.text());
    }

    @Test
    void isASchema() {
        assertThat(SCHEMA.problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "invariant: SELECT 1",
                "invariants: {a: SELECT 1}",
                "ownership: {t: {key: id, editor_owned: [a]}}",
                "{invariant: SELECT 1, ownership: {s.t: {key: [id, n], version: v, editor_owned: [a], system_owned: [b],"
                        + " shared: {c: union, d: delta}, groups: {g: [a, c]}, others: editor}}}",
                "{title: t, notes: n, setup: CREATE TABLE t (), invariants: {a: {at_least: 1, of: t}}}"
            })
    void contractsAreValid(String yaml) {
        assertThat(SCHEMA.errors(yaml)).isEmpty();
        assertThat(ScenarioReader.readContract("x", yaml))
                .matches(contract -> !contract.invariants().isEmpty()
                        || !contract.ownerships().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "title: t",
                "invariants: {}",
                "{invariant: SELECT 1, invariants: {a: SELECT 1}}",
                "{invariant: SELECT 1, run: [a()]}",
                "invariants: {1st: SELECT 1}",
                "invariants: {a: {at_least: 0, of: t}}",
                "ownership: {}",
                "ownership: {t: {editor_owned: [a]}}",
                "ownership: {t: {key: id, editor_owned: []}}",
                "ownership: {t: {key: id, editors: [a]}}",
                "ownership: {t: {key: id, shared: {a: unite}}}",
                "ownership: {t: {key: id, others: nobody}}"
            })
    void mistakesAreInvalid(String yaml) {
        assertThat(SCHEMA.errors(yaml)).isNotEmpty();
        assertThat(catchThrowableOfType(ScenarioException.class, () -> ScenarioReader.readContract("x", yaml)))
                .isNotNull();
    }

    /** What stands under an invariant is the same in both files. */
    @Test
    void sharesItsDefinitionsWithTheSchemaOfScenarios() {
        JsonNode definitions = JSON.readTree(SCHEMA.text()).at("/$defs");
        JsonNode ofScenarios = JSON.readTree(
                        PackagedSchema.named("scenario.schema.json").text())
                .at("/$defs");

        assertThat(definitions.propertyNames())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(definitions.get(name)).isEqualTo(ofScenarios.get(name)));
    }

    @Test
    void hasTheKeysOfTheReader() {
        ScenarioException thrown = catchThrowableOfType(
                ScenarioException.class, () -> ScenarioReader.readContract("x", "{invariant: SELECT 1, nonsense: 1}"));

        assertThat(thrown)
                .hasMessageContaining("(allowed: "
                        + String.join(
                                ", ",
                                JSON.readTree(SCHEMA.text()).at("/properties").propertyNames()) + ")");
    }
}
