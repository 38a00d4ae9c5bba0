package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who runs the server. PostgreSQL refuses to run as root, so for root it is either root seen from a user namespace, where
 * it is nobody but still owns its files, or the real account nobody.
 */
enum Account {
    SELF(""),
    USER_NAMESPACE("unshare -U"),
    NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

    private static final int ROOT_ID = 0;
    private static final int NOBODY_ID = 65534;
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(10);

    private final String prefix;

    Account(String prefix) {
        this.prefix = prefix;
    }

    static Account current() {
        return root() ? forRoot() : SELF;
    }

    static boolean root() {
        try {
            Path own = Files.createTempFile("cerrojo-", ".who");
            try {
                return FileTree.posix(own) && Integer.valueOf(ROOT_ID).equals(Files.getAttribute(own, "unix:uid"));
            } finally {
                Files.delete(own);
            }
        } catch (IOException failure) {
            throw new EmbeddedPostgresException(
                    "cannot write to the temporary folder %s: set -Djava.io.tmpdir to one that is writable"
                            .formatted(System.getProperty("java.io.tmpdir")),
                    failure);
        }
    }

    private static Account forRoot() {
        return Stream.of(USER_NAMESPACE, NOBODY)
                .filter(Account::works)
                .findFirst()
                .orElseThrow(() -> new EmbeddedPostgresException(
                        "PostgreSQL does not run as root, and neither `unshare -U` nor `setpriv` works here:"
                                + " run as an ordinary user, or use a server of your own and its JDBC URL"));
    }

    boolean works() {
        try {
            return new Command(command(List.of("true")), Path.of("/"), PROBE_LIMIT)
                    .run()
                    .good();
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    List<String> command(List<String> words) {
        return Stream.concat(prefix.isEmpty() ? Stream.of() : Stream.of(prefix.split(" ")), words.stream())
                .toList();
    }

    /** {@return the permissions of the folders that lead to the server's own: another account must pass, not look} */
    String passage() {
        return this == NOBODY ? "rwx--x--x" : "rwx------";
    }

    /** Makes the account the owner of everything in a folder. */
    void own(Path root) throws IOException {
        if (this != NOBODY) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Files.setAttribute(path, "unix:uid", NOBODY_ID);
                Files.setAttribute(path, "unix:gid", NOBODY_ID);
            }
        }
    }
}
