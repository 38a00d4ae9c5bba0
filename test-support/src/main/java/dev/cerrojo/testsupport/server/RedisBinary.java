package dev.cerrojo.testsupport.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import redis.embedded.core.ExecutableProvider;

/** Where the program of a Redis server is. */
final class RedisBinary {
    private RedisBinary() {}

    /** Unpacked once for a JVM. */
    private static final class Bundled {
        private static final Path PROGRAM = unpack();

        private static Path unpack() {
            try {
                File program = ExecutableProvider.newJarResourceProvider(ExecutableProvider.newProvidedVersionsMap())
                        .get();
                return program.toPath();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** {@return the machine's own, Redis or Valkey; else Redis 6.2} */
    static Path installed() {
        return Programs.find("redis-server")
                .or(() -> Programs.find("valkey-server"))
                .orElseGet(RedisBinary::bundled);
    }

    /** {@return Redis 6.2, which comes with embedded-redis} */
    static Path bundled() {
        return Bundled.PROGRAM;
    }
}
