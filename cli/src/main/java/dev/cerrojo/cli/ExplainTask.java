package dev.cerrojo.cli;

import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.report.CheckReport;
import dev.cerrojo.explorer.report.ExplanationText;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Nearest;
import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Tries one candidate of a scenario and explains it.
 *
 * @param name the candidate's id, or its name
 * @param inside whether it is tried inside of statements too, where it holds between them
 */
record ExplainTask(String name, Repairer.Inside inside) implements FileTask {
    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        Candidate candidate = candidate(scenario);
        bench.progress().begin(scenario.file());
        RepairReport report = bench.repairer(inside).repair(scenario, candidate::equals);
        CheckReport check =
                new CheckReport(report.base(), bench.server().version(), RepairTask.elapsed(report.base()), List.of());
        CandidateResult result = report.candidates().get(0);
        bench.print(look -> ExplanationText.of(check, result, look) + "\n");
        return new Done(ExitCode.OK, Map.of("repair", ReportJson.repair(check, report)));
    }

    private Candidate candidate(Scenario scenario) {
        List<Candidate> candidates = Repairer.candidates(scenario);
        return candidates.stream()
                .filter(candidate ->
                        candidate.id().equals(name) || candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> noSuchCandidate(scenario, candidates));
    }

    private CommandFailedException noSuchCandidate(Scenario scenario, List<Candidate> candidates) {
        List<String> ids = candidates.stream().map(Candidate::id).toList();
        String meant = Nearest.to(name, ids)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
        return CommandFailedException.usage(scenario.file() + ": has no candidate \"" + name + "\"" + meant
                + "\n  it has: " + String.join(", ", ids));
    }
}
