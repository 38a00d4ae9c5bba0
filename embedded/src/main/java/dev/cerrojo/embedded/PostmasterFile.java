package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The server's own note of itself, {@code postmaster.pid}: its process on the first line, its status on the eighth
 * (PostgreSQL, {@code src/include/utils/pidfile.h}).
 *
 * @param lines as far as they are written
 */
record PostmasterFile(List<String> lines) {
    private static final int STATUS_LINE = 8;

    PostmasterFile {
        lines = List.copyOf(lines);
    }

    static PostmasterFile in(Path data) throws IOException {
        try {
            byte[] written = Files.readAllBytes(data.resolve("postmaster.pid"));
            return new PostmasterFile(
                    new String(written, StandardCharsets.UTF_8).lines().toList());
        } catch (NoSuchFileException notYet) {
            return new PostmasterFile(List.of());
        }
    }

    boolean ready() {
        return lines.size() >= STATUS_LINE && lines.get(STATUS_LINE - 1).strip().equals("ready");
    }

    Optional<Long> pid() {
        return lines.stream()
                .findFirst()
                .map(String::strip)
                .filter(line -> line.matches("\\d+"))
                .map(Long::valueOf);
    }
}
