package dev.cerrojo.explorer.spec;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL's own isolation tester, as it comes with a server's files for building extensions.
 *
 * @param binary the program
 * @param libraries where its shared libraries are
 * @param conninfo where it connects to
 */
record IsolationTester(Path binary, String libraries, String conninfo) {
    private static final String FILES = """
            SELECT (SELECT setting FROM pg_config WHERE name = 'PGXS'),
                   (SELECT setting FROM pg_config WHERE name = 'LIBDIR')""";

    /** {@return the tester of a server on this machine; where there is none, the test is skipped} */
    static IsolationTester of(String jdbcUrl) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(FILES)) {
            row.next();
            Path binary = Path.of(row.getString(1))
                    .resolve("../../test/isolation/isolationtester")
                    .normalize();
            assumeTrue(Files.isExecutable(binary), "PostgreSQL's isolation tester is not there: " + binary);
            return new IsolationTester(binary, row.getString(2), conninfo(jdbcUrl));
        }
    }

    private static String conninfo(String jdbcUrl) {
        URI uri = URI.create(jdbcUrl.substring("jdbc:".length()));
        List<String> words = new ArrayList<>(List.of(
                "host=" + uri.getHost(),
                "port=" + uri.getPort(),
                "dbname=" + uri.getPath().substring(1)));
        for (String parameter : uri.getQuery().split("&")) {
            words.add(URLDecoder.decode(parameter, StandardCharsets.UTF_8));
        }
        return String.join(" ", words);
    }

    /** {@return a process that runs a specification; errors come among its output} */
    ProcessBuilder process(Path spec) {
        ProcessBuilder process = new ProcessBuilder(binary.toString(), conninfo)
                .redirectInput(spec.toFile())
                .redirectErrorStream(true);
        process.environment().put("LD_LIBRARY_PATH", libraries);
        return process;
    }
}
