package dev.cerrojo.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiCommentsTest {
    @Test
    void whatUsersSeeWithoutACommentIsFound(@TempDir Path sources) throws IOException {
        Files.writeString(sources.resolve("Seen.java"), """
                /** Commented. */
                public final class Seen {
                    public Seen() {}
                    public void open() {}
                    void hidden() {}
                    @Override
                    public String toString() { return ""; }
                    public record Inner(int size) {
                        public Inner {}
                    }
                    /** Commented. */
                    public interface Face {
                        void touch();
                    }
                }
                class Unseen {
                    public void open() {}
                }
                """);
        assertThat(ApiComments.missingIn(sources))
                .containsExactly(
                        "Seen.java:3: Seen.<init> has no comment",
                        "Seen.java:4: Seen.open has no comment",
                        "Seen.java:8: Inner has no comment",
                        "Seen.java:13: Face.touch has no comment");
    }

    @Test
    void theEmbeddedServerIsCommented() throws IOException {
        assertThat(ApiComments.missingIn(Path.of("../embedded/src/main/java"))).isEmpty();
    }
}
