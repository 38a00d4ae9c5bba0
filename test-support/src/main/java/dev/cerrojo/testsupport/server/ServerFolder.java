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
            ServerFolder folder = new ServerFolder(Files.createTempDirectory("cerrojo-" + server + "-"));
            Runtime.getRuntime().addShutdownHook(new Thread(folder::close));
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Removes it, with all that is in it, unless that is done. At the latest it is done when the JVM ends. */
    @Override
    public void close() {
        if (!Files.exists(path)) {
            return;
        }
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
