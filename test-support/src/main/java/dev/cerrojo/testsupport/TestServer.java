package dev.cerrojo.testsupport;

import dev.cerrojo.embedded.EmbeddedPostgres;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server of all test databases of a JVM.
 *
 * @param address the JDBC URL up to the database's name
 * @param parameters what follows that name
 * @param maintenance the name of a database that exists
 */
record TestServer(String address, String parameters, String maintenance) {
    private static final Pattern URL = Pattern.compile("(jdbc:postgresql:(?://[^/]+/)?)([^?]*)(.*)");

    /** Made when it is first asked for. An embedded one ends with the JVM, by its supervisor. */
    private static final class Shared {
        private static final TestServer SERVER = ofUrl(Optional.ofNullable(System.getenv("CERROJO_TEST_URL"))
                .filter(url -> !url.isBlank())
                .orElseGet(() -> EmbeddedPostgres.start().jdbcUrl()));
    }

    static TestServer shared() {
        return Shared.SERVER;
    }

    static TestServer ofUrl(String url) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "CERROJO_TEST_URL must be jdbc:postgresql://HOST:PORT/DATABASE?user=…, but was \"%s\": set it to a server"
                                    .formatted(url)
                            + " on which databases may be created, or unset it for an embedded one");
        }
        return new TestServer(parts.group(1), parts.group(3), parts.group(2));
    }

    String jdbcUrl(String database) {
        return address + database + parameters;
    }
}
