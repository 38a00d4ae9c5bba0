package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * An artifact that the user's own Maven resolves, so that their mirrors, proxies and credentials apply.
 *
 * @param name group, artifact and version
 * @param fileName the name of its jar
 * @param program how Maven is called on this platform
 */
record MavenArtifact(String name, String fileName, String program) {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";
    private static final Duration LIMIT = Duration.ofMinutes(10);

    static MavenArtifact of(Release release, Platform platform) {
        String version = release.artifactVersion();
        return new MavenArtifact(
                "io.zonky.test.postgres:" + platform.artifact() + ":" + version,
                platform.artifact() + "-" + version + ".jar",
                platform.windows() ? "mvn.cmd" : "mvn");
    }

    /** {@return the jar, copied into a folder} */
    Path copyInto(Path folder) throws IOException {
        Command command = new Command(
                List.of(program, "-q", "-B", COPY, "-Dartifact=" + name, "-DoutputDirectory=" + folder), folder, LIMIT);
        String what = "resolving " + name + " with Maven";
        try {
            command.runOrThrow(what, "it needs the network once: run it again online, or use the default major");
        } catch (IOException noMaven) {
            throw new EmbeddedPostgresException(
                    "%s failed: there is no program %s on the PATH: install Maven 3.8 or later, or use the default major %d"
                            .formatted(what, program, Release.DEFAULT.major()),
                    noMaven);
        }
        return folder.resolve(fileName);
    }
}
