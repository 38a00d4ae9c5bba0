package dev.cerrojo.explorer.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.fix.WrittenFile.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
    @TempDir
    private Path temporary;

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(each -> !each.equals(folder)).toList()) {
                contents.put(
                        folder.relativize(file).toString(),
                        Files.isDirectory(file) ? "folder" : Files.readString(file));
            }
        }
        return contents;
    }

    @Test
    void whatWaitsHasNoNameOfAMigration() throws IOException {
        try (Staging staging = Staging.in(temporary)) {
            staging.add("V1__a.sql", "a migration", "SELECT 1;");

            assertThat(contents(temporary).keySet()).noneMatch(name -> name.endsWith(".sql"));
            assertThat(staging.read("V1__a.sql")).isEqualTo("SELECT 1;");
        }
        assertThat(contents(temporary)).isEmpty();
    }

    @Test
    void foldersThatWereMadeForNothingGoAgain() throws IOException {
        Path folder = temporary.resolve("a/b/c");
        try (Staging staging = Staging.in(folder)) {
            staging.add("one", "one", "1");
        }
        assertThat(contents(temporary)).isEmpty();

        try (Staging staging = Staging.in(folder)) {
            staging.add("one", "one", "1");
            staging.publish();
        }
        assertThat(contents(folder)).isEqualTo(Map.of("one", "1"));
    }

    @Test
    void oneThatDiffersIsRefusedOrKept() throws IOException, FileConflictException {
        Files.writeString(temporary.resolve("same"), "1");
        Files.writeString(temporary.resolve("other"), "mine");
        Files.writeString(temporary.resolve("other.bak"), "older");
        try (Staging staging = Staging.in(temporary)) {
            staging.add("same", "a", "1");
            staging.refuseConflicts();
            staging.add("other", "b", "2");
            staging.add("new", "c", "3");

            assertThatThrownBy(staging::refuseConflicts)
                    .isInstanceOf(FileConflictException.class)
                    .hasMessageContaining("other is there already and differs")
                    .hasMessageNotContaining("same");
            List<WrittenFile> files = staging.publish();

            assertThat(files)
                    .extracting(WrittenFile::state)
                    .containsExactly(State.UNCHANGED, State.REPLACED, State.NEW);
            assertThat(files.get(1).before()).contains(temporary.resolve("other.bak2"));
        }
        assertThat(contents(temporary))
                .isEqualTo(Map.of("same", "1", "other", "2", "new", "3", "other.bak", "older", "other.bak2", "mine"));
    }

    /** The last to be moved cannot be: the staged file is gone. */
    @Test
    void aFailureMidwayLeavesAllAsItWas() throws IOException {
        Files.writeString(temporary.resolve("other"), "mine");
        Map<String, String> before = contents(temporary);
        try (Staging staging = Staging.in(temporary)) {
            staging.add("lost", "a", "1");
            staging.add("other", "b", "2");
            staging.add("new", "c", "3");
            try (var waiting = Files.walk(temporary)) {
                Files.delete(
                        waiting.filter(file -> file.getFileName().toString().startsWith("lost"))
                                .findFirst()
                                .orElseThrow());
            }

            assertThatThrownBy(staging::publish).isInstanceOf(IOException.class);
        }
        assertThat(contents(temporary)).isEqualTo(before);
    }

    @Test
    void aFolderInTheWayIsAConflict() throws IOException {
        Files.createDirectory(temporary.resolve("one"));
        try (Staging staging = Staging.in(temporary)) {
            staging.add("one", "a", "1");

            assertThatThrownBy(staging::refuseConflicts).isInstanceOf(FileConflictException.class);
        }
    }
}
