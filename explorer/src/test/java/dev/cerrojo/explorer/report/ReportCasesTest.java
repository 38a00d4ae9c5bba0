package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.report.ReportCase.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What machines are told. */
class ReportCasesTest {
    private static final List<ReportCase> ONE_OF_EACH = List.of(
            one(Result.PASSED, "fine"),
            one(Result.VIOLATED, "a <b> & \"c\" | d\u0007"),
            one(Result.UNEXPECTED, "other"),
            one(Result.INCONCLUSIVE, "stopped"),
            one(Result.FAILED, "no file"));

    private static ReportCase one(Result result, String message) {
        return new ReportCase(
                "a folder/shift & day.yaml",
                7,
                "run: A leave()",
                result,
                message,
                "1 SELECT\n2 <COMMIT>\n",
                Duration.ofMillis(1500));
    }

    private static Found violated() {
        return new Found().violated(7, Found.bothLeave().ending(Found.NOBODY_ON_CALL));
    }

    @Test
    void aRunIsACaseAtItsLine() {
        assertThat(ReportCases.of(violated().report())).singleElement().satisfies(found -> {
            assertThat(found.result()).isEqualTo(Result.VIOLATED);
            assertThat(found.line()).isEqualTo(11);
            assertThat(found.name()).isEqualTo("run: A leave(shift=1, doctor='A'), B leave(shift=1, doctor='B')");
            assertThat(found.message()).isEqualTo("7 of 20 schedules end with on_call_coverage violated");
            assertThat(found.detail()).contains("DELETE FROM on_call", "./cerrojo check --replay 1:ABBBAA");
        });
        assertThat(ReportCases.of(new Found().report()).get(0).result()).isEqualTo(Result.PASSED);
        assertThat(ReportCases.of(new Found().stopped("--timeout").report())
                        .get(0)
                        .result())
                .isEqualTo(Result.INCONCLUSIVE);
    }

    @Test
    void ofARepairWhatTheFileExpectsIsACase() {
        RepairReport report = Repairs.report();
        CheckReport check = new CheckReport(report.base(), "17.11", Duration.ZERO, List.of());

        assertThat(ReportCases.of(check, report))
                .extracting(ReportCase::name, ReportCase::result)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("as it stands: expected holds", Result.PASSED),
                        org.assertj.core.groups.Tuple.tuple("as it stands: expected holds", Result.UNEXPECTED));
    }

    @Test
    void aFileThatCannotBeReadIsOneAtTheLineItNames() {
        ReportCase failed = ReportCases.failed("x.yaml", "x.yaml:12: steps: must not be empty\nx.yaml:14: more");

        assertThat(failed.line()).isEqualTo(12);
        assertThat(failed.result()).isEqualTo(Result.FAILED);
        assertThat(ReportCases.failed("x.yaml", "the server is gone").line()).isEqualTo(1);
    }

    @Test
    void junitXmlTellsFailuresFromErrors() throws Exception {
        Element suites = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(JunitXml.of(ONE_OF_EACH).getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();

        assertThat(suites.getAttribute("tests")).isEqualTo("5");
        assertThat(suites.getAttribute("failures")).isEqualTo("2");
        assertThat(suites.getAttribute("errors")).isEqualTo("2");
        assertThat(suites.getAttribute("time")).isEqualTo("7.500");
        assertThat(suites.getElementsByTagName("testcase").getLength()).isEqualTo(5);
        Element failure = (Element) suites.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("a <b> & \"c\" | d\\u0007");
        assertThat(failure.getTextContent()).contains("<COMMIT>");
    }

    private static List<?> sarifProblems(String text) throws IOException {
        try (InputStream schema = ReportCasesTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
            String rules = new String(Objects.requireNonNull(schema).readAllBytes(), StandardCharsets.UTF_8);
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                    .getSchema(rules, InputFormat.JSON)
                    .validate(text, InputFormat.JSON);
        }
    }

    @Test
    void sarifIsValidAndHasTheFindings() throws IOException {
        String text = Sarif.of("1.2.3", ONE_OF_EACH);
        assertThat(sarifProblems(text)).isEmpty();
        assertThat(sarifProblems(text.replace("startLine", "beginLine")))
                .as("control")
                .isNotEmpty();
        JsonNode results = JsonMapper.shared().readTree(text).at("/runs/0/results");

        assertThat(results.size()).isEqualTo(4);
        assertThat(results.at("/0/ruleId").asString()).isEqualTo("invariant-violated");
        assertThat(results.at("/0/locations/0/physicalLocation/artifactLocation/uri")
                        .asString())
                .isEqualTo("a%20folder/shift%20&%20day.yaml");
        assertThat(results.at("/0/locations/0/physicalLocation/region/startLine")
                        .asInt())
                .isEqualTo(7);
        assertThat(results.at("/2/level").asString()).isEqualTo("warning");
    }

    @Test
    void aFingerprintOutlivesOtherLinesSchedulesAndCounts() {
        ReportCase before = one(Result.VIOLATED, "7 of 20 schedules");
        ReportCase after = new ReportCase(
                before.file(), 99, before.name(), Result.VIOLATED, "8 of 30 schedules", "another", Duration.ZERO);

        assertThat(after.fingerprint()).isEqualTo(before.fingerprint()).hasSize(32);
        assertThat(one(Result.INCONCLUSIVE, "").fingerprint()).isNotEqualTo(before.fingerprint());
    }

    @Test
    void atMostTenAnnotationsAndHowManyMore() {
        List<ReportCase> many = IntStream.range(0, 13)
                .mapToObj(i -> one(Result.VIOLATED, "100% of\nall"))
                .toList();

        assertThat(WorkflowReport.annotations(many).lines())
                .hasSize(11)
                .startsWith("::error file=a folder/shift & day.yaml,line=7,title=Cerrojo%3A invariant-violated::"
                        + "run: A leave(): 100%25 of%0Aall")
                .endsWith("::notice title=Cerrojo::and 3 more findings, see the summary of the job");
        assertThat(WorkflowReport.annotations(ONE_OF_EACH.subList(0, 1))).isEmpty();
    }

    @Test
    void theSummaryIsATableWhoseCellsStayText() {
        assertThat(WorkflowReport.summary("check", ONE_OF_EACH))
                .startsWith("### Cerrojo check: 4 of 5 cases did not pass\n\n")
                .contains("| ✘ invariant-violated: a &lt;b&gt; &amp; \"c\" \\| d")
                .contains("| ✔ passed: fine |");
        assertThat(WorkflowReport.summary("check", ONE_OF_EACH.subList(0, 1)))
                .startsWith("### Cerrojo check: all passed");
    }
}
