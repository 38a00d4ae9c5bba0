package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a server is started with, as {@code postgresql.conf} writes it.
 *
 * @param values setting → value
 */
record ServerSettings(Map<String, String> values) {
    private static final int FIRST_WITH_IO_METHOD = 18;

    ServerSettings {
        values = Map.copyOf(values);
    }

    /** Ours, then the user's: theirs win. */
    static ServerSettings of(int major, int port, EmbeddedPostgres.Options options) {
        Map<String, String> values = new LinkedHashMap<>();
        values.putAll(network(port));
        values.putAll(durability(options.durable()));
        values.putAll(fewProcesses(major));
        values.putAll(sessions());
        // by this a database tells that nobody's data is in it
        values.put("cerrojo.embedded", "on");
        options.settings().forEach((name, value) -> values.put(name.toLowerCase(Locale.ROOT), value));
        return new ServerSettings(values);
    }

    private static Map<String, String> network(int port) {
        return Map.of(
                "listen_addresses", "127.0.0.1",
                "port", String.valueOf(port),
                "unix_socket_directories", "");
    }

    /** A server that never outlives its program need not survive a power cut, unless its speed is to be measured. */
    private static Map<String, String> durability(boolean durable) {
        String setting = durable ? "on" : "off";
        return Map.of("fsync", setting, "synchronous_commit", setting, "full_page_writes", setting);
    }

    private static Map<String, String> fewProcesses(int major) {
        Map<String, String> values = new LinkedHashMap<>(Map.of(
                "autovacuum", "off",
                "max_parallel_workers_per_gather", "0",
                "max_logical_replication_workers", "0",
                "max_wal_senders", "0",
                "wal_level", "minimal"));
        if (major >= FIRST_WITH_IO_METHOD) {
            values.put("io_method", "sync");
        }
        return values;
    }

    private static Map<String, String> sessions() {
        return Map.of(
                "shared_buffers", "64MB",
                "huge_pages", "off",
                "max_connections", "100",
                "max_prepared_transactions", "0",
                "deadlock_timeout", "1s",
                "jit", "off",
                "timezone", "UTC",
                "log_timezone", "UTC");
    }

    void appendTo(Path data) throws IOException {
        String lines = values.entrySet().stream()
                .map(setting -> "%s = '%s'%n"
                        .formatted(setting.getKey(), setting.getValue().replace("'", "''")))
                .sorted()
                .collect(Collectors.joining());
        Files.writeString(
                data.resolve("postgresql.conf"),
                System.lineSeparator() + lines,
                StandardCharsets.UTF_8,
                StandardOpenOption.APPEND);
    }
}
