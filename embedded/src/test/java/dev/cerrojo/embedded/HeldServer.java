package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.file.Path;

/** A program that starts a server, says so, and holds it until its input ends. Arguments: the cache folder. */
final class HeldServer {
    private HeldServer() {}

    public static void main(String[] arguments) throws IOException {
        EmbeddedPostgres.Options options =
                EmbeddedPostgres.Options.builder().cache(Path.of(arguments[0])).build();
        long start = System.nanoTime();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options)) {
            System.out.println(server.jdbcUrl());
            System.out.println("ms " + (System.nanoTime() - start) / 1_000_000);
            while (System.in.read() != -1) {
                // only the end of the input counts
            }
        }
    }
}
