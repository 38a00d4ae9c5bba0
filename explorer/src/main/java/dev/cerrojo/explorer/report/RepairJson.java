package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Expectation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a repair found, as JSON. */
final class RepairJson {
    private RepairJson() {}

    static Map<String, @Nullable Object> of(CheckReport check, RepairReport report) {
        Optional<Expectation> expectation = report.base().scenario().expect();
        return new JsonObject()
                .put("check", ReportJson.check(check))
                .put("expected", expectation.map(Expectation::word))
                .put("judgement", expectation.map(expected -> ReportJson.word(Judgement.of(expected, report.base()))))
                .put(
                        "candidates",
                        report.candidates().stream()
                                .map(result -> candidate(check, result))
                                .toList())
                .put("recommendation", report.recommendation().map(RepairJson::recommendation))
                .put("scopesNote", report.scopesNote())
                .put("prices", report.prices().map(PriceJson::of))
                .put("pricesNote", report.pricesNote())
                .fields();
    }

    private static Map<String, @Nullable Object> candidate(CheckReport check, CandidateResult result) {
        Candidate candidate = result.candidate();
        return new JsonObject()
                .put("id", candidate.id())
                .put("name", candidate.name())
                .put("kind", candidate.kind().name().toLowerCase(Locale.ROOT))
                .put("idea", candidate.idea())
                .put("notBuilt", result.notBuilt())
                .put("blocksOtherScopes", result.blocksOtherScopes())
                .put(
                        "extraStatements",
                        result.extraStatements().isPresent()
                                ? Optional.of(result.extraStatements().getAsInt())
                                : Optional.empty())
                .put(
                        "cells",
                        result.cells().stream()
                                .map(cell -> cell(check, candidate, cell))
                                .toList())
                .fields();
    }

    private static Map<String, @Nullable Object> cell(CheckReport check, Candidate candidate, Cell cell) {
        Duration elapsed = cell.result().runs().stream()
                .map(run -> run.exploration().elapsed())
                .reduce(Duration.ZERO, Duration::plus);
        boolean replayable = candidate.kind() == Candidate.Kind.USER;
        return new JsonObject()
                .put("isolation", cell.isolation())
                .put("holds", cell.holds())
                .put("neverCommits", cell.neverCommits())
                .put("newSqlStates", List.copyOf(cell.newSqlStates()))
                .put("expected", cell.expectation().map(Expectation::word))
                .put("judgement", cell.judgement().map(ReportJson::word))
                .put("inside", cell.inside().map(RepairJson::inside))
                .put(
                        "check",
                        CheckJson.of(
                                cell.result(),
                                elapsed,
                                token -> replayable
                                        ? Optional.of(ShellWords.replay(
                                                check.result().scenario().file(),
                                                List.of("--repair", candidate.name()),
                                                token))
                                        : Optional.empty()))
                .fields();
    }

    private static Map<String, @Nullable Object> inside(GatedPass pass) {
        return new JsonObject()
                .put("verdict", pass.result().verdict().word())
                .put("schedules", pass.result().schedules())
                .put("freeTrials", pass.trials())
                .put("freeViolations", pass.violations())
                .put("reasons", pass.result().reasons())
                .fields();
    }

    private static Map<String, @Nullable Object> recommendation(RepairReport.Recommendation recommendation) {
        return new JsonObject()
                .put("candidate", recommendation.candidate().id())
                .put("reasons", recommendation.reasons())
                .put("how", recommendation.how())
                .put("risks", recommendation.risks())
                .fields();
    }
}
