package dev.cerrojo.explorer.report;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports as JSON, as {@code docs/report.schema.json} describes it. */
public final class ReportJson {
    private ReportJson() {}

    /** The server. */
    public record Postgres(String version, boolean embedded) {}

    /** What stands above the files. */
    public record Head(String command, String cerrojo, Optional<Postgres> postgres, int exitCode, Duration elapsed) {}

    /** What was found in one file. */
    public record FileEntry(String file, int exitCode, Optional<String> title, Map<String, Object> found) {}

    public static String document(Head head, List<FileEntry> files) {
        return "{}";
    }

    public static Map<String, Object> check(CheckReport report) {
        return new LinkedHashMap<>();
    }

    public static Map<String, Object> repair(CheckReport check, dev.cerrojo.explorer.repair.RepairReport report) {
        return new LinkedHashMap<>();
    }

    public static Map<String, Object> replay(ReplayReport report) {
        return new LinkedHashMap<>();
    }

    public static List<Object> expectations(List<ExpectationCase> cases) {
        return List.of();
    }
}
