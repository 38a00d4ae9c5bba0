package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CorpusTest {
    /** Where there is none, this is the test that is reported as skipped, with the reason. */
    @Test
    void corpusIsThere() {
        assertThat(Corpus.files()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource({"dev.cerrojo.explorer.scenario.Corpus#examples", "dev.cerrojo.explorer.scenario.Corpus#facts"})
    void ownFilesExpectSomethingOfEveryRepair(Path file) {
        Scenario scenario = ScenarioReader.read(file);

        assertThat(scenario.expect()).isPresent();
        assertThat(scenario.repairs())
                .isNotEmpty()
                .allSatisfy(repair -> assertThat(repair.expect()).isPresent());
    }

    @ParameterizedTest
    @MethodSource("dev.cerrojo.explorer.scenario.Corpus#files")
    void corpusFilesAreRead(Path file) {
        Scenario scenario = ScenarioReader.read(file);

        assertThat(scenario.expect()).isPresent();
        assertThat(scenario.repairs()).isNotEmpty().allSatisfy(repair -> {
            assertThat(repair.expect()).isPresent();
            assertThat(repair.repaired().runs()).hasSize(1);
        });
    }
}
