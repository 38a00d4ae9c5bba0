package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CorpusTest {
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
