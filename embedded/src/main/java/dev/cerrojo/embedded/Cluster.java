package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * An initialised cluster that was never started: each server runs on a copy of it.
 *
 * @param folder holds the cluster in {@code data} and the superuser's password in {@code password}
 */
record Cluster(Path folder) {
    static final String USER = "postgres";

    private static final int PASSWORD_BYTES = 16;
    private static final int FIRST_WITH_SETTINGS = 16;
    private static final int FIRST_WITH_CHECKSUMS_BY_DEFAULT = 18;
    private static final Duration INIT_LIMIT = Duration.ofMinutes(3);

    static Cluster of(Binaries binaries, Cache cache) throws IOException {
        List<String> initdb = initdb(binaries);
        String name = "cluster-%s-%08x".formatted(binaries.folder().getFileName(), settings(initdb, cache.account()));
        return new Cluster(cache.folder(name, folder -> initialise(initdb, folder, cache.account())));
    }

    private static int settings(List<String> initdb, Account account) {
        return List.of(initdb.subList(1, initdb.size()), account.name()).hashCode();
    }

    private static List<String> initdb(Binaries binaries) {
        List<String> words = new ArrayList<>(List.of(
                binaries.program("initdb"),
                "--username=" + USER,
                "--encoding=UTF8",
                "--locale=C",
                "--wal-segsize=1",
                "--auth-local=reject",
                "--auth-host=scram-sha-256",
                "--pwfile=password",
                "--pgdata=data",
                "--no-sync",
                "--no-instructions"));
        if (binaries.major() >= FIRST_WITH_SETTINGS) {
            // the password is random: making it slow to guess only makes connecting slow
            words.add("--set=scram_iterations=1");
        }
        if (binaries.major() >= FIRST_WITH_CHECKSUMS_BY_DEFAULT) {
            words.add("--no-data-checksums");
        }
        return words;
    }

    private static void initialise(List<String> initdb, Path folder, Account account) throws IOException {
        Path password = Files.createFile(folder.resolve("password"), FileTree.permissions(folder, "rw-------"));
        Files.writeString(password, randomPassword());
        FileTree.create(folder.resolve("data"), "rwx------");
        account.own(folder);
        new Command(account.command(initdb), folder, INIT_LIMIT)
                .runOrThrow(
                        "initialising a PostgreSQL cluster in " + folder,
                        "if another account cannot reach that folder, set CERROJO_CACHE to one that it can");
    }

    private static String randomPassword() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    String password() throws IOException {
        return Files.readString(folder.resolve("password"));
    }

    Path data() {
        return folder.resolve("data");
    }
}
