package dev.cerrojo.explorer.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.GuideSnippet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java of the guides is that of compiled and tested sources. */
class GuideTest {
    private static final Path SOURCES = Path.of("src", "test", "java", "dev", "cerrojo", "explorer", "tests");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "testing-your-code.md",
                "transactions.md",
                "invariants.md",
                "guards.md",
                "leases.md",
                "idempotency.md",
                "field-ownership.md",
                "versions.md"
            })
    void everySnippetIsInTheSourceThatItNames(String guide) throws IOException {
        assertThat(GuideSnippet.of(guide))
                .isNotEmpty()
                .allSatisfy(snippet -> assertThat(snippet.isIn(SOURCES)).isTrue());
    }

    @Test
    void thereIsOneOfEachKind() throws IOException {
        String all = GuideSnippet.of("testing-your-code.md").stream()
                .map(GuideSnippet::code)
                .collect(Collectors.joining());

        assertThat(all)
                .contains(
                        "prepareStatement",
                        "HikariConfig",
                        "TransactionTemplate",
                        "GatedDataSource.around",
                        "DSLContext",
                        "addBatch",
                        "setSavepoint",
                        "@Replay(",
                        "timeoutSeconds",
                        "randomSchedules",
                        "faults(",
                        "clientRetries()",
                        "isSerializable()",
                        "neverDeadlocks()",
                        "holds(COVERAGE)",
                        "beforeEach(");
    }
}
