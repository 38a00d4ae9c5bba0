package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cerrojo.testsupport.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** HTML reports in headless Chromium, opened from a folder. Skipped where there is no Chromium. */
class HtmlReportBrowserTest {
    /** Everything of it that a report shows has markup in it, and a script that would show itself in the title. */
    private static final String HOSTILE = """
            title: "Two <b>hostile</b> sessions </title></script><script>document.title = 'pwned'</script>"
            setup: |
              CREATE TABLE "<i>account" (id int PRIMARY KEY, balance int NOT NULL, note text);
              INSERT INTO "<i>account" VALUES (1, 100, '<img src=x onerror="document.title=1">');
            transactions:
              withdraw:
                params: [id, amount]
                scope: id
                steps:
                  - read: SELECT balance, note FROM "<i>account" WHERE id = :id AND note <> '</script><s>'
                  - check: SELECT :balance >= :amount
                    else: too-low
                  - write: UPDATE "<i>account" SET balance = balance - :amount WHERE id = :id
            run: ["withdraw(id=1, amount=60)", "withdraw(id=1, amount='60')"]
            invariant:
              name: not_negative
              says: "a balance is <em>never</em> &amp; nowhere negative"
              scope: '"<i>account"(id)'
              violated_by: SELECT id, balance, note AS "<u>note</u>" FROM "<i>account" WHERE balance < 0
              watches: ['"<i>account"(id)']
            expect: violated
            repairs:
              - name: "lock <marquee>it</marquee> 'first'"
                expect: holds_no_deadlock
                prepend:
                  withdraw:
                    - write: SELECT 1 FROM "<i>account" WHERE id = :id /* </pre><script>document.title=2</script> */ FOR UPDATE
            """;

    private static TestDatabase database;
    private static Browser browser;

    @TempDir
    private static Path folder;

    private static Path check;
    private static Path repair;
    private static Path hostile;

    @BeforeAll
    static void makeReports() {
        assumeTrue(Browser.executable().isPresent(), "skipped: there is no Chromium to open HTML reports with");
        database = TestDatabase.create();
        browser = Browser.start();
        check = report("check", Path.of("..", "examples", "on-call.yaml").toString());
        repair = report("repair", Path.of("..", "examples", "on-call.yaml").toString(), "--cost-time", "300ms");
        hostile = report("repair", new ScenarioFiles(folder).file("<hostile>.yaml", HOSTILE), "--no-cost");
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
            database.close();
        }
    }

    @BeforeEach
    void asUsual() {
        browser.scripts(true);
        browser.dark(false);
        browser.size(1280, 900);
    }

    private static Path report(String command, String file, String... options) {
        Path page = folder.resolve(command + file.length() + ".html");
        List<String> words = new ArrayList<>(List.of(command, "--html", page.toString(), file));
        words.addAll(List.of(options));
        Ran ran = Ran.with(Map.of("CERROJO_URL", database.jdbcUrl()), words.toArray(String[]::new));
        assertThat(ran.err()).isEmpty();
        return page;
    }

    private static JsonNode ask(String expression) {
        return browser.evaluate(expression);
    }

    private static int count(String selector) {
        return ask("document.querySelectorAll('" + selector + "').length").asInt();
    }

    private static String text(String selector) {
        return ask("document.querySelector('" + selector + "').innerText").asString();
    }

    @Test
    void aCheckShowsTheVerdictAndTheScheduleAsLanes() {
        browser.open(check, "");

        assertThat(text(".badge")).contains("VIOLATED");
        assertThat(text(".verdict .sentence")).isEqualTo("14 of 22 schedules end with on_call_coverage violated.");
        assertThat(count(".chart-wide .lanechart .rail")).isEqualTo(2);
        assertThat(count(".chart-wide .lanechart .commit")).isEqualTo(2);
        assertThat(count(".chart-wide .lanechart .ring")).isEqualTo(4);
        assertThat(count(".chart-wide .lanechart .doom")).isEqualTo(1);
        assertThat(text(".doomed")).contains("It is lost after turn 3");
        assertThat(text(".end .rows")).contains("at_least");
        assertThat(text(".command .code")).startsWith("./cerrojo check --replay 1:AABBBA-");
        assertThat(text(".limits")).contains("is one step here");
    }

    @Test
    void whatThePictureShowsStandsInAListToo() {
        browser.open(check, "");

        assertThat(count(".aslist ol.steps > li")).isEqualTo(6);
        assertThat(ask("document.querySelector('.aslist').textContent").asString())
                .contains("takes its snapshot here", "commits", "others = 1", "COMMIT");
    }

    @Test
    void everyCellOfTheMatrixLeadsToItsEvidence() {
        browser.open(repair, "");

        assertThat(ask("[...document.querySelectorAll('.matrix .cell a')].filter(a =>"
                                + " !document.getElementById(a.getAttribute('href').slice(1))).length")
                        .asInt())
                .isZero();
        assertThat(count(".matrix .cell a")).isGreaterThan(40);
        assertThat(ask("[...document.querySelectorAll('.matrix .c-bad a')].filter(a =>"
                                + " !document.querySelector(a.getAttribute('href') + ' ol.steps')).length")
                        .asInt())
                .isZero();
        assertThat(text(".matrix .c-bad a")).contains("violated");
        assertThat(text(".advice .code")).contains("cerrojo.guard");
    }

    @Test
    void aLinkIntoTheEvidenceOpensItWithoutAScript() {
        browser.scripts(false);
        browser.open(repair, "#f1-share-lock-rc");

        assertThat(ask("document.getElementById('f1-share-lock-rc').checkVisibility()")
                        .asBoolean())
                .isTrue();
        assertThat(ask("document.getElementById('f1-touch-rc').closest('details').open")
                        .asBoolean())
                .isFalse();
        assertThat(count("button.copy:not([hidden])")).isZero();
        assertThat(text(".limits")).contains("other versions can differ");
    }

    @Test
    void theRepairCanBeCopied() {
        browser.open(repair, "");
        ask("document.querySelector('.advice button.copy').click()");

        assertThat(ask("getSelection().toString()").asString()).contains("INSERT INTO cerrojo.guard");
    }

    @Test
    void pricesAreBarsAndWords() {
        browser.open(repair, "");

        assertThat(count(".bars")).isEqualTo(3);
        assertThat(text("#f1-price-spread h3")).isEqualTo("Cost: calls spread over 1,000 scopes");
        assertThat(text("#f1-price-spread .lead")).startsWith("8 clients on your server (PostgreSQL ");
        assertThat(ask("[...document.querySelectorAll('#f1-price-hot th[scope=row]')].map(e => e.innerText).join()")
                        .asString())
                .startsWith("unguarded,touch,");
        assertThat(text("#f1-price-spread tbody tr:nth-child(2) .more")).contains(" of unguarded, p50 ");
        assertThat(text("#f1-price-counted tbody tr:nth-child(2) .more")).startsWith("+1 round trip, ");
        assertThat(ask("document.querySelector('#f1-price-hot tbody tr rect').getBoundingClientRect().width > 10")
                        .asBoolean())
                .isTrue();
        assertThat(count("nav a[href=\"#f1-price-spread\"]")).isEqualTo(1);
    }

    static Stream<Arguments> widths() {
        return Stream.of(320, 390, 768, 1280, 1600)
                .flatMap(width -> Stream.of(false, true).map(dark -> Arguments.of(width, dark)));
    }

    @ParameterizedTest
    @MethodSource("widths")
    void nothingStandsOutOfThePage(int width, boolean dark) {
        browser.size(width, 900);
        browser.dark(dark);
        for (Path page : List.of(check, repair, hostile)) {
            browser.open(page, "");
            ask("document.querySelectorAll('details').forEach(d => d.open = true)");

            assertThat(ask("document.documentElement.scrollWidth").asInt()).isEqualTo(width);
            assertThat(
                            ask("[...document.querySelectorAll('body *')].filter(e => { if (e.closest('.scroll, .code, .skip,"
                                            + " .hidden, svg')) return false; const b = e.getBoundingClientRect(); return b.right > "
                                            + width
                                            + " + .5 || b.left < -.5; }).map(e => e.outerHTML.slice(0, 80)).join()")
                                    .asString())
                    .isEmpty();
        }
    }

    @Test
    void whatIsInTheScenarioStaysText() {
        browser.open(hostile, "");
        ask("document.querySelectorAll('details').forEach(d => d.open = true)");

        assertThat(ask("document.title").asString()).startsWith("Two <b>hostile</b> sessions </title></script>");
        assertThat(count("main script")).isZero();
        assertThat(count("script")).isEqualTo(1);
        assertThat(count("b, i, s, u, em, img, marquee")).isZero();
        assertThat(text("h2")).contains("<script>document.title = 'pwned'</script>");
        assertThat(text("main"))
                .contains("a balance is <em>never</em> &amp; nowhere negative")
                .contains("<img src=x onerror=\"document.title=1\">")
                .contains("note <> '</script><s>'")
                .contains("<u>note</u>")
                .contains("lock <marquee>it</marquee> 'first'")
                .contains("<hostile>.yaml");
        assertThat(ask("document.querySelector('.lanechart').textContent").asString())
                .contains("\"<i>account\"", "</script><s>");
    }

    @Test
    void nothingIsAskedOfANetwork() {
        browser.open(hostile, "");

        assertThat(browser.requests())
                .allMatch(address -> address.startsWith("file:") || address.equals("about:blank"));
        assertThat(browser.requests().stream().filter(address -> address.startsWith("file:")))
                .hasSize(1);
        assertThat(ask("document.querySelector('meta[http-equiv]').content").asString())
                .startsWith("default-src 'none';");
        assertThat(ask("getComputedStyle(document.body).fontSize").asString())
                .as("the policy lets the style pass")
                .isEqualTo("16px");
    }

    @Test
    void darkIsDark() {
        browser.open(check, "");
        int light = brightness();
        browser.dark(true);

        assertThat(light).isGreaterThan(600);
        assertThat(brightness()).isLessThan(150);
    }

    private static int brightness() {
        return ask("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0)")
                .asInt();
    }

    static Stream<Boolean> schemes() {
        return Stream.of(false, true);
    }

    /** WCAG 2.2, 1.4.3: 4.5 to 1 for text of this size. */
    @ParameterizedTest
    @MethodSource("schemes")
    void textStandsOutFromWhatIsBehindIt(boolean dark) {
        browser.dark(dark);
        browser.open(repair, "");
        ask("document.querySelectorAll('details').forEach(d => d.open = true)");

        assertThat(ask(CONTRAST).asString()).isEmpty();
    }

    private static final String CONTRAST = """
            (() => {
              const part = c => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
              const light = ([r, g, b]) => .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
              const numbers = s => s.match(/[\\d.]+/g).map(Number);
              const behind = e => { for (; e; e = e.parentElement) {
                const c = numbers(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
              const bad = new Set();
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              while (walker.nextNode()) {
                const e = walker.currentNode.parentElement;
                if (!walker.currentNode.data.trim() || e.closest('svg, script, style, .skip') || !e.checkVisibility()) continue;
                const a = light(numbers(getComputedStyle(e).color)), b = light(behind(e));
                const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
                if (ratio < 4.5) bad.add(e.className + ' ' + e.tagName + ' ' + ratio.toFixed(2));
              }
              return [...bad].join('; ');
            })()""";

    @Test
    void headingsAreInOrderAndPartsHaveNames() {
        browser.open(repair, "");

        List<Integer> levels = Stream.of(
                        ask("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => h.tagName[1]).join()")
                                .asString()
                                .split(","))
                .map(Integer::valueOf)
                .toList();
        assertThat(levels.get(0)).isEqualTo(1);
        for (int i = 1; i < levels.size(); i++) {
            assertThat(levels.get(i)).as("heading " + i).isLessThanOrEqualTo(levels.get(i - 1) + 1);
        }
        assertThat(ask("document.documentElement.lang").asString()).isEqualTo("en");
        assertThat(count("main")).isEqualTo(1);
        assertThat(ask("[...document.querySelectorAll('[aria-labelledby]')].flatMap(e =>"
                                + " e.getAttribute('aria-labelledby').split(' ')).filter(id => !document.getElementById(id)).join()")
                        .asString())
                .isEmpty();
        assertThat(ask("(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);"
                                + " return ids.filter((id, i) => ids.indexOf(id) !== i).join(); })()")
                        .asString())
                .as("no id stands twice")
                .isEmpty();
        assertThat(count("nav:not([aria-label])")).isZero();
    }

    @Test
    void whatIsScrolledCanBeReachedByKeyboard() {
        browser.size(320, 900);
        browser.open(repair, "");
        ask("document.querySelectorAll('details').forEach(d => d.open = true)");

        assertThat(ask("[...document.querySelectorAll('main *')].filter(e => e.scrollWidth > e.clientWidth + 1 &&"
                                + " getComputedStyle(e).overflowX === 'auto' && e.tabIndex < 0).length")
                        .asInt())
                .isZero();
    }

    @Test
    void printedItShowsWhatIsFoldedOnAScreen() {
        browser.print(true);
        try {
            browser.open(check, "");

            assertThat(ask("document.querySelector('.aslist ol.steps').getBoundingClientRect().height > 100")
                            .asBoolean())
                    .isTrue();
            assertThat(ask("getComputedStyle(document.querySelector('.copy')).display")
                            .asString())
                    .isEqualTo("none");
        } finally {
            browser.print(false);
        }
    }
}
