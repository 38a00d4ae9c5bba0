package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the pictures of the guide from real reports, when it is told where to: see {@code docs/guide/reading-a-report.md}.
 */
@EnabledIfSystemProperty(named = "cerrojo.pictures", matches = ".+", disabledReason = "only on request")
class GuidePicturesTest {
    private static final long LARGEST = 200_000;
    private static final String EXAMPLE =
            Path.of("..", "examples", "on-call.yaml").toString();

    @TempDir
    private Path folder;

    @Test
    void picturesAreMade() throws IOException {
        Path pictures = Path.of(System.getProperty("cerrojo.pictures"));
        try (TestDatabase database = TestDatabase.create();
                Browser browser = Browser.start()) {
            Path repair = report(database, "repair", "--no-cost");
            browser.size(1080, 900);
            browser.open(repair, "");
            browser.picture(".hero, .chart-wide + .chart + .key", 14, pictures.resolve("report-schedule.png"));
            browser.picture(
                    "#f1-repairs h3, #f1-repairs > .scroll:nth-of-type(1)", 14, pictures.resolve("report-matrix.png"));
            browser.picture(".advice", 6, pictures.resolve("report-recommendation.png"));
            browser.open(repair, "#f1-lock-scope-row-rr");
            browser.picture(".level:target", 14, pictures.resolve("report-evidence.png"));
            browser.open(
                    report(
                            database,
                            "check",
                            "--repair",
                            "advisory lock on the shift, in every path",
                            "--isolation",
                            "repeatable-read"),
                    "");
            browser.picture(".chart-wide, .key", 14, pictures.resolve("report-wait.png"));
            browser.dark(true);
            browser.size(390, 844);
            browser.open(repair, "");
            browser.picture(".hero, .doomed", 8, pictures.resolve("report-phone.png"));
        }
        for (String name : List.of("schedule", "matrix", "recommendation", "evidence", "wait", "phone")) {
            assertThat(Files.size(pictures.resolve("report-" + name + ".png"))).isLessThan(LARGEST);
        }
    }

    private Path report(TestDatabase database, String... words) {
        Path page = folder.resolve(words[0] + ".html");
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--html", page.toString(), EXAMPLE));
        Ran.with(Map.of("CERROJO_URL", database.jdbcUrl()), all.toArray(String[]::new));
        return page;
    }
}
