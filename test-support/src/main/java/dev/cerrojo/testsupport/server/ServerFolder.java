package dev.cerrojo.testsupport.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder of a server's. */
record ServerFolder(Path path) implements AutoCloseable {
    static ServerFolder create(String server) {
        try {
            return new ServerFolder(Files.createTempDirectory("cerrojo-" + server + "-"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Removes it, with all that is in it. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
