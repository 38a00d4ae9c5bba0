package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

/** Specifications of the tests, explored on the server of all tests. */
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

    static SpecResult check(Spec spec, Search.Mode mode) throws SQLException {
        return new SpecChecker(TestServer.shared(), new Bounds(100_000, Duration.ofMinutes(5)), mode, Progress.SILENT)
                .check(spec);
    }
}
