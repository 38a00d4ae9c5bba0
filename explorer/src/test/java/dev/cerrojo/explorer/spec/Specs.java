package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.testsupport.TestDatabase;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

/** Specifications of the tests, and a server for them. */
final class Specs {
    private Specs() {}

    static Spec read(String name) {
        try {
            return SpecReader.read(Path.of(Objects.requireNonNull(Specs.class.getResource("/spec/" + name))
                    .toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static Server server(TestDatabase database) throws SQLException {
        return Server.at(database.jdbcUrl());
    }

    static SpecResult check(Spec spec, Search.Mode mode) throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                Server server = server(database)) {
            return new SpecChecker(server, new Bounds(100_000, Duration.ofMinutes(5)), mode, Progress.SILENT)
                    .check(spec);
        }
    }
}
