package dev.cerrojo.embedded;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The PostgreSQL releases that can be had by their major number, and the version of the artifact that holds each. The one
 * on the class path is the default; its version is {@code postgres.binaries.version} in the parent POM.
 */
enum Release {
    PG14(14, "14.24.0"),
    PG15(15, "15.19.0"),
    PG16(16, "16.15.0"),
    PG17(17, "17.11.0"),
    PG18(18, "18.6.0");

    static final Release DEFAULT = PG17;

    private final int major;
    private final String artifactVersion;

    Release(int major, String artifactVersion) {
        this.major = major;
        this.artifactVersion = artifactVersion;
    }

    static Release of(int major) {
        return Arrays.stream(values())
                .filter(release -> release.major == major)
                .findFirst()
                .orElseThrow(() -> new EmbeddedPostgresException(
                        "PostgreSQL major must be one of %s, but was %d: for another, give an archive of its binaries"
                                .formatted(all(), major)));
    }

    private static String all() {
        return Arrays.stream(values())
                .map(release -> String.valueOf(release.major))
                .collect(Collectors.joining(", "));
    }

    int major() {
        return major;
    }

    String artifactVersion() {
        return artifactVersion;
    }
}
