package dev.cerrojo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @ParameterizedTest
    @ValueSource(ints = {13, 19, 0, -1})
    void aMajorOutsideOfTheAllowedIsRefused(int major) {
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(() -> EmbeddedPostgres.Options.major(major))
                .withMessageContaining("must be one of 14, 15, 16, 17, 18, but was " + major);
    }

    @Test
    void aMajorAndAnArchiveExcludeEachOther() {
        EmbeddedPostgres.Options.Builder both =
                EmbeddedPostgres.Options.builder().major(15).archive(Path.of("own.txz"));
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(both::build)
                .withMessageContaining("major 15 and archive own.txz exclude each other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "x='y'\nfsync", "1st"})
    void aSettingThatIsNoNameIsRefused(String name) {
        EmbeddedPostgres.Options.Builder builder =
                EmbeddedPostgres.Options.builder().setting(name, "1");
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(builder::build)
                .withMessageContaining("must be named as in postgresql.conf");
    }

    @Test
    void thePortIsNotForTheUserToSet() {
        EmbeddedPostgres.Options.Builder builder =
                EmbeddedPostgres.Options.builder().setting("PORT", "5432");
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(builder::build)
                .withMessageContaining("port must be left out");
    }

    @Test
    void anArchiveThatIsMissingIsNamed(@TempDir Path cache) {
        EmbeddedPostgres.Options options = EmbeddedPostgres.Options.builder()
                .cache(cache)
                .archive(cache.resolve("none.txz"))
                .build();
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(() -> EmbeddedPostgres.start(options))
                .withMessageContaining("there is no file " + cache.resolve("none.txz"));
    }

    @Test
    void aMissingMavenIsNamed(@TempDir Path folder) {
        MavenArtifact artifact = new MavenArtifact("group:name:1", "name-1.jar", "no-such-mvn");
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(() -> artifact.copyInto(folder))
                .withMessageContaining("there is no program no-such-mvn on the PATH");
    }

    @Test
    void aFailingMavenIsShown(@TempDir Path folder) throws Exception {
        Path program = folder.resolve("mvn");
        Files.writeString(program, "#!/bin/sh\necho offline and not there\nexit 1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        MavenArtifact artifact = new MavenArtifact("group:name:1", "name-1.jar", program.toString());
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(() -> artifact.copyInto(folder))
                .withMessageContaining("resolving group:name:1 with Maven failed")
                .withMessageContaining("offline and not there")
                .withMessageContaining("needs the network once");
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-amd64, postgres-linux-x86_64.txz",
        "Linux, aarch64, linux-arm64v8, postgres-linux-arm_64.txz",
        "Mac OS X, aarch64, darwin-arm64v8, postgres-darwin-arm_64.txz",
        "Windows 11, amd64, windows-amd64, postgres-windows-x86_64.txz"
    })
    void aPlatformIsKnownByItsName(String os, String hardware, String platform, String archive) {
        assertThat(Platform.of(os, hardware)).hasToString(platform);
        assertThat(Platform.of(os, hardware).archive()).isEqualTo(archive);
    }

    @Test
    void anUnknownPlatformIsRefused() {
        assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(() -> Platform.of("AIX", "ppc64"))
                .withMessageContaining("but is AIX on ppc64");
    }

    @Test
    void theCacheFolderFollowsTheEnvironment() {
        assertThat(Cache.defaultFolder(
                        Map.of("CERROJO_CACHE", "/a", "XDG_CACHE_HOME", "/b"), Platform.LINUX_AMD64, Account.SELF))
                .isEqualTo(Path.of("/a"));
        assertThat(Cache.defaultFolder(Map.of("XDG_CACHE_HOME", "/b"), Platform.LINUX_AMD64, Account.SELF))
                .isEqualTo(Path.of("/b/cerrojo"));
        assertThat(Cache.defaultFolder(Map.of(), Platform.LINUX_AMD64, Account.SELF))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".cache/cerrojo"));
    }
}
