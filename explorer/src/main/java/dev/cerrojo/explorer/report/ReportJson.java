package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.check.SearchComparison;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.spec.SpecResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reports as JSON. {@code report.schema.json}, in the jar and in {@code docs/}, is their schema. */
public final class ReportJson {
    /** Grows when a report is no longer what readers of the former version expect; a new key does not count. */
    public static final int SCHEMA_VERSION = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private ReportJson() {}

    /**
     * The server of a report.
     *
     * @param version its version, such as {@code 17.11}
     * @param embedded whether Cerrojo started it
     */
    public record Postgres(String version, boolean embedded) {}

    /**
     * What stands above the files.
     *
     * @param command what was run: check, replay, expectations, reduction or repair
     * @param cerrojoVersion the version of Cerrojo
     * @param postgres the server; empty when none was needed
     * @param exitCode what the command ended with
     * @param elapsed how long it took
     */
    public record Head(
            String command, String cerrojoVersion, Optional<Postgres> postgres, int exitCode, Duration elapsed) {}

    /**
     * What came of one file.
     *
     * @param file the file as it was named
     * @param title the scenario's title; empty when it could not be read
     * @param exitCode what this file alone would have ended the command with
     * @param found one entry: {@code check}, {@code replay}, {@code expectations}, {@code reduction}, {@code repair} or
     *     {@code error}
     */
    public record FileEntry(String file, Optional<String> title, int exitCode, Map<String, Object> found) {
        /** Copies the entries. */
        public FileEntry {
            found = Map.copyOf(found);
        }

        /**
         * A file that failed.
         *
         * @param file the file as it was named
         * @param exitCode what it ends with
         * @param message why
         * @return the entry
         */
        public static FileEntry failed(String file, int exitCode, String message) {
            return new FileEntry(file, Optional.empty(), exitCode, Map.of("error", Map.of("message", message)));
        }
    }

    /**
     * Writes a whole report.
     *
     * @param head what stands above the files
     * @param files what came of each, in the order given
     * @return JSON of ASCII characters only, over several lines, the last not ended
     */
    public static String document(Head head, List<FileEntry> files) {
        Map<String, @Nullable Object> document = new JsonObject()
                .put("schemaVersion", SCHEMA_VERSION)
                .put("command", head.command())
                .put("cerrojoVersion", head.cerrojoVersion())
                .put("postgres", head.postgres().map(ReportJson::postgres))
                .put("exitCode", head.exitCode())
                .put("elapsedMillis", head.elapsed())
                .put("files", files.stream().map(ReportJson::file).toList())
                .fields();
        return text(document);
    }

    static String text(Map<String, @Nullable Object> document) {
        return MAPPER.writeValueAsString(document);
    }

    private static Map<String, @Nullable Object> postgres(Postgres postgres) {
        return new JsonObject()
                .put("version", postgres.version())
                .put("embedded", postgres.embedded())
                .fields();
    }

    private static Map<String, @Nullable Object> file(FileEntry entry) {
        return new JsonObject()
                .put("file", entry.file())
                .put("title", entry.title())
                .put("exitCode", entry.exitCode())
                .putAll(entry.found())
                .fields();
    }

    /**
     * What stands under {@code check}.
     *
     * @param report what was found
     * @return JSON's types: maps, lists, texts, numbers, booleans and null
     */
    public static Map<String, @Nullable Object> check(CheckReport report) {
        return CheckJson.of(report.result(), report.elapsed(), token -> Optional.of(report.replayCommand(token)));
    }

    /**
     * What stands under {@code replay}.
     *
     * @param report the schedule that was run again
     * @return JSON's types
     */
    public static Map<String, @Nullable Object> replay(ReplayReport report) {
        return new JsonObject()
                .put("asked", report.asked().toString())
                .put("violated", report.witness().execution().isViolation())
                .put(
                        "schedule",
                        ScheduleJson.of(report.scenario(), report.witness(), Optional.of(report.replayCommand())))
                .fields();
    }

    /**
     * What stands under {@code expectations}.
     *
     * @param cases a file's expectations and what was found
     * @return JSON's types
     */
    public static List<Map<String, @Nullable Object>> expectations(List<ExpectationCase> cases) {
        return cases.stream().map(ReportJson::expectation).toList();
    }

    private static Map<String, @Nullable Object> expectation(ExpectationCase judged) {
        return new JsonObject()
                .put("repair", judged.repair())
                .put("expected", judged.expectation().word())
                .put("found", judged.found())
                .put("judgement", word(judged.judgement()))
                .put("verdict", judged.result().verdict().word())
                .put("reasons", judged.result().reasons())
                .put("counts", CheckJson.counts(judged.result()))
                .put(
                        "witness",
                        judged.result()
                                .shortestWitness()
                                .flatMap(run -> run.witness())
                                .map(witness -> witness.token().toString()))
                .put("elapsedMillis", judged.elapsed())
                .fields();
    }

    /**
     * What stands under {@code reduction}.
     *
     * @param comparisons the exhaustive and the reduced search, run by run and level by level
     * @return JSON's types
     */
    public static List<Map<String, @Nullable Object>> reduction(List<SearchComparison> comparisons) {
        return comparisons.stream().map(ReportJson::comparison).toList();
    }

    private static Map<String, @Nullable Object> comparison(SearchComparison comparison) {
        return new JsonObject()
                .put("run", comparison.run())
                .put("isolation", comparison.isolation())
                .put("result", comparison.result().name().toLowerCase(Locale.ROOT))
                .put("exhaustive", explored(comparison.exhaustive()))
                .put("reduced", explored(comparison.reduced()))
                .put("onlyExhaustive", comparison.lost().size())
                .put("onlyReduced", comparison.invented().size())
                .fields();
    }

    private static Map<String, @Nullable Object> explored(Exploration exploration) {
        return new JsonObject()
                .put("schedules", exploration.schedules())
                .put("endings", exploration.endings().size())
                .put("reason", exploration.reason())
                .fields();
    }

    /**
     * What stands under {@code repair}.
     *
     * @param check what was found in the scenario as it stands: the report's own base
     * @param report what was found of its repairs
     * @return JSON's types
     */
    public static Map<String, @Nullable Object> repair(CheckReport check, RepairReport report) {
        return RepairJson.of(check, report);
    }

    /**
     * What stands under {@code specification}.
     *
     * @param report what was found
     * @return JSON's types
     */
    public static Map<String, @Nullable Object> specification(SpecReport report) {
        return SpecJson.of(report);
    }

    /**
     * What stands under {@code specificationReplay}.
     *
     * @param report what was explored: its result has no programs
     * @param shown the schedule that was run again
     * @return JSON's types
     */
    public static Map<String, @Nullable Object> specificationReplay(SpecReport report, SpecResult.Shown shown) {
        return SpecJson.replay(report, shown);
    }

    static String word(Judgement judgement) {
        return judgement.name().toLowerCase(Locale.ROOT);
    }
}
