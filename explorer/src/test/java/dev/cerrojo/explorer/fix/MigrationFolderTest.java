package dev.cerrojo.explorer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationFolderTest {
    @TempDir
    private Path folder;

    private String version(String description) throws IOException {
        return new MigrationFolder(folder).version(description);
    }

    @Test
    void theFirstIsOne() throws IOException {
        assertThat(version("guard_x")).isEqualTo("1");
        assertThat(new MigrationFolder(folder.resolve("missing")).version("guard_x"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({
        "V7__a.sql,                  8",
        "V007__a.sql,                008",
        "V099__a.sql,                100",
        "V2.1__a.sql,                3",
        "V2_11__a.sql,               3",
        "U9__a.sql,                  10",
        "B4__a.sql,                  5",
        "V12__Migrate.java,          13",
        "V20240101120000__a.sql,     20240101120001",
        "R__view.sql,                1",
        "V3_no_description.sql,      1",
        "below/V5__a.sql,            6"
    })
    void theNextIsFree(String there, String next) throws IOException {
        Path file = folder.resolve(there);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "SELECT 1;");
        Files.writeString(folder.resolve("V0__zero.sql"), "SELECT 1;");

        assertThat(version("guard_x")).isEqualTo(next);
    }

    @Test
    void oneThatIsThereKeepsItsVersion() throws IOException {
        Files.writeString(folder.resolve("V3__guard_x.sql"), "SELECT 1;");
        Files.writeString(folder.resolve("V4__other.sql"), "SELECT 1;");

        assertThat(version("guard_x")).isEqualTo("3");
        assertThat(version("guard_y")).isEqualTo("5");
    }
}
