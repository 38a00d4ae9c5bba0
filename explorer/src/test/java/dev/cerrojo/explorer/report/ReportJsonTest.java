package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Faults;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.SerialTally;
import dev.cerrojo.explorer.search.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportJsonTest {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final String SCHEMA = packaged();

    private static String packaged() {
        try (InputStream in = ReportJson.class.getResourceAsStream("/dev/cerrojo/explorer/report.schema.json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode valid(String command, Map<String, Object> found) {
        String document = ReportJson.document(
                new ReportJson.Head(
                        command,
                        "0.1.0",
                        Optional.of(new ReportJson.Postgres("17.11", true)),
                        1,
                        Duration.ofMillis(1234)),
                List.of(new ReportJson.FileEntry("a.yaml", Optional.of("Title"), 1, found)));
        Schema schema = REGISTRY.getSchema(SCHEMA, InputFormat.JSON);
        assertThat(schema.validate(document, InputFormat.JSON)).isEmpty();
        assertThat(document).isASCII();
        return JsonMapper.shared().readTree(document);
    }

    private static Found found() {
        return new Found()
                .violated(18, Found.bothLeave().ending(Found.NOBODY_ON_CALL))
                .deadlocking(1, Found.deadlocks().ending())
                .ending(18, true, new Outcome.Committed(), new Outcome.Committed())
                .ending(1, false, new Outcome.Refused("coverage-conflict"), new Outcome.Stuck())
                .ending(1, false, new Outcome.Failed("40P01", "deadlock detected"), new Outcome.Committed());
    }

    @Test
    void documentationHasTheSchemaOfTheJar() throws IOException {
        Path docs = Path.of("").toAbsolutePath().resolve("../docs/report.schema.json");

        assertThat(Files.readString(docs)).isEqualTo(SCHEMA);
    }

    @Test
    void schemaIsASchema() {
        Schema dialect = REGISTRY.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        assertThat(dialect.validate(SCHEMA, InputFormat.JSON)).isEmpty();
    }

    @Test
    void checkIsComplete() {
        JsonNode check = valid("check", Map.of("check", ReportJson.check(found().report())))
                .at("/files/0/check");

        assertThat(check.at("/verdict").asString()).isEqualTo("violated");
        assertThat(check.at("/counts/violating").asInt()).isEqualTo(18);
        assertThat(check.at("/runs/0/sessions/1/transactions/0/call").asString())
                .isEqualTo("leave(shift=1, doctor='B')");
        assertThat(check.at("/runs/0/endings")).hasSize(3);
        assertThat(check.at("/runs/0/witness/replay").asString()).isEqualTo("1:ABBBAA");
        assertThat(check.at("/runs/0/witness/replayCommand").asString())
                .isEqualTo("./cerrojo check --replay 1:ABBBAA examples/on-call.yaml");
        assertThat(check.at("/runs/0/witness/events/1/values/others").asString())
                .isEqualTo("1");
        assertThat(check.at("/runs/0/witness/violations/0/says").asString()).isEqualTo("every shift keeps a doctor");
        assertThat(check.at("/runs/0/deadlock/replay").asString()).isEqualTo("1:ABBA(A)B-rh436");
    }

    @Test
    void tellsOfSerialOrdersAndFaults() {
        SerialTally tally = new SerialTally(
                20,
                3,
                1,
                Optional.of(Found.anomalous(Found.bothLeave().ending())),
                new Aborts(6, 3, 2, 1),
                List.of("table t is not compared"));
        Scenario scenario = Found.scenario().withFaults(new Faults(1, 2, true));

        JsonNode check = valid(
                        "check",
                        Map.of("check", ReportJson.check(found().judged(tally).report(scenario))))
                .at("/files/0/check");

        assertThat(check.at("/faults/lostAnswer").asInt()).isEqualTo(2);
        assertThat(check.at("/serialEquivalence/anomalous").asInt()).isEqualTo(3);
        assertThat(check.at("/serialEquivalence/unneededAborts").asInt()).isEqualTo(2);
        assertThat(check.at("/serialEquivalence/doubts/0").asString()).isEqualTo("table t is not compared");
        assertThat(check.at("/runs/0/anomaly/replay").asString()).isEqualTo("1:ABBBAA-7pg6xy");
        assertThat(check.at("/runs/0/anomaly/anomaly/closest").asString()).isEqualTo("B A");
        assertThat(check.at("/runs/0/anomaly/anomaly/differences/0/here").asString())
                .isEqualTo("(1, C)");
    }

    @Test
    void clientsThatCrashOrDoNotKnowAreValid() {
        TraceBuilder trace = new TraceBuilder()
                .turn('A', "SELECT 1", "")
                .ends('A', new Outcome.Crashed())
                .ends('B', new Outcome.Unknown());

        JsonNode run = valid(
                        "check",
                        Map.of(
                                "check",
                                ReportJson.check(new Found()
                                        .violated(1, trace.ending(Found.NOBODY_ON_CALL))
                                        .report())))
                .at("/files/0/check/runs/0");

        assertThat(run.at("/witness/outcomes/0/outcome").asString()).isEqualTo("crashed");
        assertThat(run.at("/witness/outcomes/1/outcome").asString()).isEqualTo("unknown");
    }

    /** The number is what a schedule that diverged is reported with, so a victim counts. */
    @Test
    void startedStepsHaveTheirPlaceAmongTheChoices() {
        JsonNode events = valid("check", Map.of("check", ReportJson.check(found().report())))
                .at("/files/0/check/runs/0/deadlock/events");

        assertThat(events.valueStream()
                        .filter(event -> event.at("/event").asString().equals("started"))
                        .map(event -> event.at("/choice").asInt()))
                .containsExactly(1, 2, 3, 4, 6);
    }

    @Test
    void whatIsUnusualIsValidToo() {
        Violation violation = new Violation("on_call_coverage", List.of("ä"), List.of(Arrays.asList("ü", null)), 2);
        TraceBuilder trace = new TraceBuilder()
                .deferredChecks('A')
                .turn('A', "SELECT 'é'", "")
                .returns('A', 1, "v", null)
                .ends('A', new Outcome.Stuck())
                .ends('B', new Outcome.Failed("23505", "doppelt: \u0000"));

        valid(
                "check",
                Map.of(
                        "check",
                        ReportJson.check(
                                new Found().violated(1, trace.ending(violation)).report())));
        valid(
                "check",
                Map.of(
                        "check",
                        ReportJson.check(
                                new Found().stopped("why").reduced().serial().report())));
    }

    @Test
    void replayIsComplete() {
        Execution execution = Found.oneWaits().ending();
        ReplayToken token = new ReplayToken(1, List.of(), execution.trace().schedule());
        ReplayReport report = new ReplayReport(
                Found.scenario(),
                ReplayToken.parse("1.AB:AB"),
                new RunResult.Witness(Found.scenario().runs().get(0), token, execution),
                "17.11",
                List.of());

        JsonNode replay =
                valid("replay", Map.of("replay", ReportJson.replay(report))).at("/files/0/replay");

        assertThat(replay.at("/asked").asString()).isEqualTo("1.AB:AB");
        assertThat(replay.at("/schedule/replay").asString()).isEqualTo("1:ABAB");
        assertThat(replay.at("/schedule/events/3/waitsFor/0").asString()).isEqualTo("A");
    }

    @Test
    void expectationsAreComplete() {
        ExpectationCase judged = new ExpectationCase(
                "a.yaml",
                Optional.of("x"),
                Expectation.DOES_NOT_HOLD,
                found().in(Found.scenario()),
                Duration.ofMillis(5));

        JsonNode first = valid("expectations", Map.of("expectations", ReportJson.expectations(List.of(judged))))
                .at("/files/0/expectations/0");

        assertThat(first.at("/judgement").asString()).isEqualTo("met");
        assertThat(first.at("/witness").asString()).isEqualTo("1:ABBBAA");
    }

    @Test
    void repairIsComplete() {
        RepairReport report = Repairs.report();
        CheckReport check = new CheckReport(report.base(), "17.11", Duration.ofMillis(9), List.of());

        JsonNode repair = valid("repair", Map.of("repair", ReportJson.repair(check, report)))
                .at("/files/0/repair");

        assertThat(repair.at("/candidates")).hasSize(8);
        assertThat(repair.at("/candidates/0/cells/1/newSqlStates/0").asString()).isEqualTo("40001");
        assertThat(repair.at("/candidates/3/notBuilt").asString())
                .isEqualTo("PostgreSQL has no constraint for this rule");
        assertThat(repair.at("/candidates/6/cells/0/check/runs/0/witness/replayCommand")
                        .asString())
                .contains("--repair 'check inside of the UPDATE'");
        assertThat(repair.at("/candidates/4/cells/0/check/runs/0/witness/replayCommand")
                        .isNull())
                .isTrue();
        assertThat(repair.at("/recommendation/candidate").asString()).isEqualTo("touch");
    }

    @Test
    void pricesAreComplete() {
        RepairReport report = Repairs.priced();
        CheckReport check = new CheckReport(report.base(), "17.11", Duration.ofMillis(9), List.of());

        JsonNode prices = valid("repair", Map.of("repair", ReportJson.repair(check, report)))
                .at("/files/0/repair/prices");

        assertThat(prices.at("/scopes").asInt()).isEqualTo(1000);
        assertThat(prices.at("/unguarded/walBytes").asInt()).isEqualTo(412);
        assertThat(prices.at("/candidates/0/name").asString()).isEqualTo("touch");
        assertThat(prices.at("/candidates/0/spread/throughputRatio/median").asDouble())
                .isEqualTo(0.93);
        assertThat(prices.at("/candidates/1/hot/retriesPerCall/median").asDouble())
                .isEqualTo(3.5);
        assertThat(prices.at("/notes/0").asString()).startsWith("user-2");
    }

    @Test
    void failureAndNoServerAreValid() {
        String document = ReportJson.document(
                new ReportJson.Head("check", "0.1.0", Optional.empty(), 2, Duration.ZERO),
                List.of(ReportJson.FileEntry.failed("a.yaml", 2, "a.yaml: no such file")));

        assertThat(REGISTRY.getSchema(SCHEMA, InputFormat.JSON).validate(document, InputFormat.JSON))
                .isEmpty();
        assertThat(JsonMapper.shared()
                        .readTree(document)
                        .at("/files/0/error/message")
                        .asString())
                .isEqualTo("a.yaml: no such file");
    }
}
