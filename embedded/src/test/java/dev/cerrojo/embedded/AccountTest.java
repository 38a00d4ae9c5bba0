package dev.cerrojo.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The accounts that root can give to a server, and a program that is run by an ordinary user. Only root can test them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the accounts for root are made with Linux programs")
class AccountTest {
    private static final String[] AS_NOBODY = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};

    @TempDir
    private Path folder;

    @BeforeEach
    void onlyRoot() {
        assumeThat(Account.root()).as("run by root").isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"USER_NAMESPACE", "NOBODY"})
    void rootStartsAServer(Account account) throws Exception {
        assumeThat(account.works()).as("%s works here", account).isTrue();
        passableByAll(folder);
        Path cache = folder.resolve("cache");
        EmbeddedPostgres.Options options =
                EmbeddedPostgres.Options.builder().cache(cache).build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options, account)) {
            assertThat(Query.one(server.jdbcUrl(), "SELECT current_user")).isEqualTo("postgres");
        }
        Await.empty(cache.resolve("runs"));
    }

    @Test
    void anOrdinaryUserStartsAServer() throws Exception {
        passableByAll(folder);
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Files.setAttribute(cache, "unix:uid", 65534);
        try (ChildProgram program = ChildProgram.start(copiedClassPath(), cache, AS_NOBODY)) {
            assertThat(Query.one(program.jdbcUrl(), "SELECT current_user")).isEqualTo("postgres");
        }
        Await.empty(cache.resolve("runs"));
    }

    /** The class path may lie in a home folder that another user cannot enter. */
    private String copiedClassPath() throws Exception {
        Path copies = Files.createDirectory(folder.resolve("class-path"));
        passableByAll(copies);
        List<String> copied = new ArrayList<>();
        for (String entry : classPath().split(File.pathSeparator)) {
            Path target = copies.resolve(copied.size() + "-" + Path.of(entry).getFileName());
            if (Files.exists(Path.of(entry))) {
                FileTree.copy(Path.of(entry), target);
                copied.add(target.toString());
            }
        }
        Account.NOBODY.own(copies);
        return String.join(File.pathSeparator, copied);
    }

    /** Surefire's own property tells what the jar that it starts tests from leads to. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static void passableByAll(Path path) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
