package dev.cerrojo.explorer.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java of the guides is that of compiled and tested sources. */
class GuideTest {
    private static final Path GUIDES = Path.of("..", "docs", "guide");
    private static final Path SOURCES = Path.of("src", "test", "java", "dev", "cerrojo", "explorer", "tests");
    private static final Pattern SNIPPET =
            Pattern.compile("(?:<!-- (\\S+\\.java) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

    /** Code of the guide, and the file that it says it is of. */
    private record Snippet(String file, String code) {
        static Snippet of(MatchResult match) {
            return new Snippet(String.valueOf(match.group(1)), match.group(2));
        }
    }

    private static List<Snippet> snippets(String guide) throws IOException {
        return SNIPPET.matcher(Files.readString(GUIDES.resolve(guide)))
                .results()
                .map(Snippet::of)
                .toList();
    }

    /** However deep it is indented. */
    private static String flat(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "testing-your-code.md",
                "transactions.md",
                "invariants.md",
                "guards.md",
                "leases.md",
                "field-ownership.md",
                "versions.md"
            })
    void everySnippetIsInTheSourceThatItNames(String guide) throws IOException {
        assertThat(snippets(guide)).isNotEmpty().allSatisfy(snippet -> {
            assertThat(snippet.file()).as("the comment before the snippet").endsWith(".java");
            assertThat(flat(Files.readString(SOURCES.resolve(snippet.file())))).contains(flat(snippet.code()));
        });
    }

    @Test
    void thereIsOneOfEachKind() throws IOException {
        String all =
                snippets("testing-your-code.md").stream().map(Snippet::code).collect(Collectors.joining());

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
