package dev.cerrojo.leasefaults;

import dev.cerrojo.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/**
 * Signals to a PostgreSQL server.
 *
 * @param pids its processes
 */
record ServerSignals(List<String> pids) {
    static ServerSignals to(EmbeddedPostgres server) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet file =
                        statement.executeQuery("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")) {
            file.next();
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(file.getString(1))).orElseThrow();
            return new ServerSignals(Stream.concat(Stream.of(postmaster), postmaster.descendants())
                    .map(process -> String.valueOf(process.pid()))
                    .toList());
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    void stop() {
        send("-STOP");
    }

    void goOn() {
        send("-CONT");
    }

    /** Some may have ended meanwhile. */
    private void send(String signal) {
        try {
            List<String> words =
                    Stream.concat(Stream.of("kill", signal), pids.stream()).toList();
            int unused = new ProcessBuilder(words).start().waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
