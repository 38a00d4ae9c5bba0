package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.ReportCase.Result;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Findings as SARIF 2.1.0 (OASIS), which code scanning reads. */
public final class Sarif {
    private static final List<Result> RULES = Arrays.stream(Result.values())
            .filter(result -> result != Result.PASSED)
            .toList();

    private Sarif() {}

    /**
     * Writes findings.
     *
     * @param version the version of Cerrojo
     * @param cases the cases; those that passed are left out
     * @return JSON of ASCII characters only
     */
    public static String of(String version, List<ReportCase> cases) {
        Map<String, @Nullable Object> driver = new JsonObject()
                .put("name", "Cerrojo")
                .put("version", version)
                .put("rules", RULES.stream().map(Sarif::rule).toList())
                .fields();
        Map<String, @Nullable Object> run = new JsonObject()
                .put("tool", Map.of("driver", driver))
                .put("columnKind", "unicodeCodePoints")
                .put(
                        "results",
                        cases.stream()
                                .filter(ReportCase::isFinding)
                                .map(Sarif::result)
                                .toList())
                .fields();
        return ReportJson.text(new JsonObject()
                .put("version", "2.1.0")
                .put("runs", List.of(run))
                .fields());
    }

    private static Map<String, @Nullable Object> rule(Result result) {
        return new JsonObject()
                .put("id", result.rule())
                .put("shortDescription", text(result.description()))
                .put("defaultConfiguration", Map.of("level", level(result)))
                .fields();
    }

    private static String level(Result result) {
        return result == Result.INCONCLUSIVE ? "warning" : "error";
    }

    private static Map<String, @Nullable Object> result(ReportCase one) {
        return new JsonObject()
                .put("ruleId", one.result().rule())
                .put("ruleIndex", RULES.indexOf(one.result()))
                .put("level", level(one.result()))
                .put("message", text(one.detail().isBlank() ? one.message() : one.message() + "\n\n" + one.detail()))
                .put("locations", List.of(location(one)))
                .put("partialFingerprints", Map.of("cerrojo/v1", one.fingerprint()))
                .fields();
    }

    private static Map<String, Object> text(String text) {
        return Map.of("text", text);
    }

    private static Map<String, Object> location(ReportCase one) {
        return Map.of(
                "physicalLocation",
                Map.of("artifactLocation", Map.of("uri", uri(one.file())), "region", Map.of("startLine", one.line())));
    }

    /** A relative reference stays one: it is the reader who knows of which folder. */
    private static String uri(String file) {
        Path path = Path.of(file);
        try {
            return path.isAbsolute()
                    ? path.toUri().toASCIIString()
                    : new URI(null, null, "./" + path.toString().replace('\\', '/'), null)
                            .toASCIIString()
                            .substring(2);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(file + ": names no file", e);
        }
    }
}
