package dev.cerrojo.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * Unpacked PostgreSQL programs.
 *
 * @param folder where they lie; holds {@code bin}, {@code lib} and {@code share}
 * @param version the version that the server reports, such as {@code 17.11}
 */
record Binaries(Path folder, String version) {
    private static final Duration VERSION_LIMIT = Duration.ofSeconds(30);

    static Binaries of(EmbeddedPostgres.Options options, Cache cache, Platform platform) throws IOException {
        if (options.archive().isPresent()) {
            return ofFile(options.archive().get(), cache, platform);
        }
        Release release =
                options.major().isPresent() ? Release.of(options.major().getAsInt()) : Release.DEFAULT;
        if (release == Release.DEFAULT) {
            Optional<Binaries> onClassPath = onClassPath(cache, platform)
                    .filter(binaries -> options.major().isEmpty() || binaries.major() == release.major());
            if (onClassPath.isPresent()) {
                return onClassPath.get();
            }
        }
        return resolved(release, cache, platform);
    }

    private static Binaries ofFile(Path file, Cache cache, Platform platform) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new EmbeddedPostgresException(
                    "the archive of PostgreSQL's binaries must be a .txz file or a jar with %s in it, but there is no file %s"
                            .formatted(platform.archive(), file));
        }
        String key = Integer.toHexString(file.toRealPath().hashCode()) + "-" + Files.size(file) + "-"
                + Files.getLastModifiedTime(file).toMillis();
        return unpacked(cache, platform, key, folder -> Archive.unpackFile(file, platform, folder));
    }

    private static Optional<Binaries> onClassPath(Cache cache, Platform platform) throws IOException {
        URL archive = Binaries.class.getResource("/" + platform.archive());
        return archive == null
                ? Optional.empty()
                : Optional.of(unpacked(
                        cache, platform, key(archive), folder -> Archive.unpack(archive.openStream(), folder)));
    }

    /** What tells one archive on the class path from another without reading it: in a jar, the entry's checksum. */
    private static String key(URL archive) throws IOException {
        URLConnection connection = archive.openConnection();
        connection.setUseCaches(false);
        if (connection instanceof JarURLConnection jar) {
            try (JarFile file = jar.getJarFile()) {
                return Long.toHexString(file.getEntry(jar.getEntryName()).getCrc());
            }
        }
        try (InputStream opened = connection.getInputStream()) {
            return opened.available() + "-" + connection.getLastModified();
        }
    }

    private static Binaries resolved(Release release, Cache cache, Platform platform) throws IOException {
        return unpacked(cache, platform, release.artifactVersion(), folder -> {
            Path jar = MavenArtifact.of(release, platform).copyInto(folder);
            Archive.unpackFile(jar, platform, folder);
            Files.delete(jar);
        });
    }

    private static Binaries unpacked(Cache cache, Platform platform, String key, Cache.Maker maker) throws IOException {
        Path folder = cache.folder("binaries-" + platform + "-" + key, making -> {
            maker.make(making);
            Files.writeString(making.resolve("version"), askVersion(making));
        });
        return new Binaries(folder, Files.readString(folder.resolve("version")));
    }

    /** The server answers {@code postgres (PostgreSQL) 17.11}. */
    private static String askVersion(Path folder) throws IOException {
        String answer = new Command(List.of(program(folder, "postgres"), "--version"), folder, VERSION_LIMIT)
                .runOrThrow("asking PostgreSQL for its version", "the archive may be for another platform");
        return answer.strip().replaceFirst("^.*\\) (\\S+).*$", "$1");
    }

    private static String program(Path folder, String name) {
        return folder.resolve("bin").resolve(name).toString();
    }

    String program(String name) {
        return program(folder, name);
    }

    int major() {
        return Integer.parseInt(version.replaceFirst("\\D.*$", ""));
    }
}
