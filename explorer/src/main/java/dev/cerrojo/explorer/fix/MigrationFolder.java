package dev.cerrojo.explorer.fix;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder of migrations, named as Flyway names them: {@code V7__what.sql}, {@code U7__what.sql}, {@code B7__what.sql},
 * also in folders below it and in Java.
 */
final class MigrationFolder {
    /** Flyway looks into all folders below a location; ones that lie deeper are somebody else's. */
    private static final int DEPTH = 8;

    private static final Pattern VERSIONED =
            Pattern.compile("[VUB](?<version>(?<first>\\d+)[\\d._]*?)__(?<description>.*)\\.(sql|java|kt|class)");

    private final Path folder;

    MigrationFolder(Path folder) {
        this.folder = folder;
    }

    private record Versioned(String version, BigInteger first, int width, String description) {}

    /**
     * {@return the version for a migration: of the one with the same description that is there already, or the next that is free}
     *
     * @throws IOException if the folder cannot be read
     */
    String version(String description) throws IOException {
        List<Versioned> all = all(DEPTH);
        Optional<Versioned> same = all(1).stream()
                .filter(one -> one.description().equals(description))
                .max(Comparator.comparing(Versioned::first));
        return same.map(Versioned::version).orElseGet(() -> next(all));
    }

    /** As wide as the highest: 007 comes after 006. */
    private static String next(List<Versioned> all) {
        return all.stream()
                .max(Comparator.comparing(Versioned::first))
                .map(highest -> padded(highest.first().add(BigInteger.ONE).toString(), highest.width()))
                .orElse("1");
    }

    private static String padded(String number, int width) {
        return "0".repeat(Math.max(0, width - number.length())) + number;
    }

    private List<Versioned> all(int depth) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.flatMap(file -> versioned(String.valueOf(file.getFileName())).stream())
                    .toList();
        }
    }

    private static Optional<Versioned> versioned(String name) {
        Matcher found = VERSIONED.matcher(name);
        return found.matches()
                ? Optional.of(new Versioned(
                        found.group("version"),
                        new BigInteger(found.group("first")),
                        found.group("first").length(),
                        found.group("description")))
                : Optional.empty();
    }
}
