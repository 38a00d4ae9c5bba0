package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.fix.FixProof.Proof;
import dev.cerrojo.explorer.fix.RegressionYaml.Guarded;
import dev.cerrojo.explorer.fix.RegressionYaml.NotEditable;
import dev.cerrojo.explorer.fix.WrittenFile.State;
import dev.cerrojo.explorer.fix.WrittenFix.Outcome;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the fix of a scenario into a folder: the guard as a versioned migration and its rollback, guarded transactions in
 * Java, the scenario as a regression test, and reports. The files are first written beside, read back, tried on fresh
 * databases, and moved to their places only when they do what they should: all of them or none.
 */
public final class FixWriter {
    private final Server server;
    private final FixProof proof;
    private final Path folder;
    private final boolean replace;

    /**
     * Makes a writer.
     *
     * @param server where scratch databases are made
     * @param checker explores the scenario with the fix
     * @param inside whether what holds between statements is tried inside of them too
     * @param folder where the files go; made when it is missing, and only if something is written
     * @param replace whether files that are there and differ are replaced; they are kept under another name
     */
    public FixWriter(Server server, Checker checker, Repairer.Inside inside, Path folder, boolean replace) {
        this.server = server;
        this.proof = new FixProof(server, checker, inside);
        this.folder = folder;
        this.replace = replace;
    }

    /** Makes reports, when it is known what is written. */
    @FunctionalInterface
    public interface Reports {
        /**
         * Makes them.
         *
         * @param files the other files
         * @return the ending of a report's name, such as {@code html} → its text
         */
        Map<String, String> of(List<WrittenFile> files);
    }

    /**
     * Writes the fix that a repair found.
     *
     * @param report what was found
     * @param reports makes what is written beside
     * @return what came of it; unless it is written, the folder is as it was
     * @throws FileConflictException when files are there already and differ, and are not to be replaced
     * @throws IOException when a file cannot be read or written; the folder is as it was
     * @throws SQLException if the server cannot do it
     */
    public WrittenFix write(RepairReport report, Reports reports)
            throws FileConflictException, IOException, SQLException {
        Verdict verdict = report.base().verdict();
        if (verdict == Verdict.HOLDS) {
            return nothing(
                    Outcome.NOT_NEEDED, List.of("Nothing is to be fixed: the invariant holds as the file stands."));
        } else if (verdict == Verdict.INCONCLUSIVE) {
            return nothing(
                    Outcome.INCONCLUSIVE,
                    List.of("No violation was found before the search gave up, so no fix can be tested against one."));
        } else if (report.recommendation().isEmpty()) {
            return nothing(Outcome.NO_REPAIR, List.of(report.whyNone()));
        }
        FixPlan plan = new FixPlan(
                report,
                report.recommendation().orElseThrow().candidate(),
                Repairer.guardable(server, report.base().scenario()));
        return write(plan, reports);
    }

    private WrittenFix nothing(Outcome outcome, List<String> notes) {
        return new WrittenFix(outcome, folder, List.of(), List.of(), notes);
    }

    /** What no candidate has shown to hold may turn out not to; then the application's part alone may be enough. */
    private WrittenFix write(FixPlan plan, Reports reports) throws FileConflictException, IOException, SQLException {
        List<String> notes = new ArrayList<>();
        Optional<Fix> guarded = plan.inDatabase();
        if (guarded.isPresent()) {
            WrittenFix written = write(guarded.orElseThrow(), reports, plan.notes());
            if (written.outcome() == Outcome.WRITTEN || plan.isSeen()) {
                return written;
            }
            written.notes().forEach(note -> notes.add("No guard in the database. " + note));
        }
        Optional<Fix> application = plan.inApplication();
        notes.addAll(plan.notes());
        return application.isPresent()
                ? write(application.orElseThrow(), reports, notes)
                : nothing(Outcome.NO_REPAIR, notes);
    }

    private WrittenFix write(Fix fix, Reports reports, List<String> notes)
            throws FileConflictException, IOException, SQLException {
        String version = new MigrationFolder(folder).version(fix.description());
        try (Staging staging = Staging.in(folder)) {
            return new Attempt(fix, version, staging, notes).written(reports);
        }
    }

    /** One fix on its way. */
    private final class Attempt {
        private final Fix fix;
        private final String version;
        private final Staging staging;
        private final List<String> notes;
        private final List<String> proven = new ArrayList<>();
        private final List<Guarded> guarded = new ArrayList<>();
        private Outcome outcome = Outcome.WRITTEN;

        Attempt(Fix fix, String version, Staging staging, List<String> notes) {
            this.fix = fix;
            this.version = version;
            this.staging = staging;
            this.notes = new ArrayList<>(notes);
        }

        WrittenFix written(Reports reports) throws FileConflictException, IOException, SQLException {
            stage();
            prove();
            if (outcome == Outcome.WRITTEN) {
                regression();
            }
            if (outcome != Outcome.WRITTEN) {
                return nothing(outcome, notes);
            }
            refuseConflicts();
            reports(reports);
            return new WrittenFix(Outcome.WRITTEN, folder, staging.publish(), proven, notes);
        }

        private void refuseConflicts() throws FileConflictException, IOException {
            if (!replace) {
                staging.refuseConflicts();
            }
        }

        private String migration() {
            return "V" + version + "__" + fix.description() + ".sql";
        }

        /** Not U7__….sql: only some editions of Flyway know that, and the others refuse it where names are validated. */
        private String rollback() {
            return migration() + ".rollback";
        }

        private void stage() throws FileConflictException, IOException {
            if (fix.migration().isPresent()) {
                String sql = fix.migration().orElseThrow().installSql();
                staging.add(
                        migration(),
                        fix.inDatabase() ? "the guard, as a migration" : "the guard table, as a migration",
                        sql);
                staging.add(
                        rollback(),
                        "its rollback",
                        fix.migration().orElseThrow().rollbackSql());
                configuration(migration(), sql);
            }
            staging.add(JavaSnippet.className(fix) + ".java", "the transactions, guarded", JavaSnippet.of(fix));
            refuseConflicts();
        }

        /** Flyway would look for the value of what only looks like one of its placeholders. */
        private void configuration(String name, String sql) throws IOException {
            if (sql.contains("${")) {
                staging.add(name + ".conf", "how Flyway reads it", "placeholderReplacement=false\n");
            }
        }

        private void prove() throws IOException, SQLException {
            Scenario guardedSchema = fix.scenario();
            if (fix.migration().isPresent()) {
                String sql = staging.read(migration());
                Proof scripts = proof.ofScripts(fix, sql, staging.read(rollback()));
                accept(
                        scripts,
                        migration() + " was applied to a fresh database, and " + rollback()
                                + " left the schema exactly as it was before");
                guardedSchema = guardedSchema.withSetupAppended(sql);
            }
            if (outcome == Outcome.WRITTEN && fix.inDatabase()) {
                explore("guarded by " + migration(), guardedSchema);
            }
            if (outcome == Outcome.WRITTEN && fix.application().isPresent()) {
                String what = fix.recommended().id() + " in every transaction"
                        + (fix.migration().isPresent() ? ", with " + migration() : "");
                explore(
                        what,
                        guardedSchema.withTransactions(
                                fix.application().orElseThrow().transactions()));
            }
        }

        private void explore(String what, Scenario fixed) throws SQLException {
            Proof explored = proof.of(what, fixed);
            boolean extra = !guarded.isEmpty() && explored.verdict() == Verdict.INCONCLUSIVE;
            if (extra) {
                explored.problems()
                        .forEach(problem -> notes.add("Not proven, and not in the regression test: " + problem + "."));
                return;
            }
            accept(
                    explored,
                    what + ": " + explored.schedules() + " schedules explored again, none violates the invariant"
                            + (explored.deadlocks() ? ", some deadlock" : ", none deadlocks"));
            if (explored.holds()) {
                guarded.add(new Guarded(what, explored.expectation(), fixed));
            }
        }

        private void accept(Proof found, String sentence) {
            if (found.holds()) {
                proven.add(sentence + ".");
                return;
            }
            outcome = found.verdict() == Verdict.INCONCLUSIVE ? Outcome.INCONCLUSIVE : Outcome.NOT_PROVEN;
            found.problems().forEach(problem -> notes.add("Not proven: " + problem + "."));
        }

        /** Its own control: as it stands it is the scenario that was found violated, with the fix what was just explored. */
        private void regression() throws IOException {
            String name = fix.stem() + ".regression.yaml";
            Path original = Path.of(fix.scenario().file());
            try {
                staging.add(
                        name,
                        "the scenario, as a regression test",
                        RegressionYaml.of(Files.readString(original), fix.scenario(), guarded));
            } catch (NotEditable e) {
                accept(new Proof(Verdict.VIOLATED, 0, false, List.of(String.valueOf(e.getMessage()))), "");
                return;
            }
            RegressionComparison comparison =
                    new RegressionComparison(ScenarioReader.read(name, staging.read(name)), fix.scenario(), guarded);
            if (!comparison.same()) {
                accept(
                        new Proof(
                                Verdict.VIOLATED,
                                0,
                                false,
                                List.of("the regression test, read back, is another scenario than the one explored")),
                        "");
            }
        }

        /** A report of what was there already is not written anew: it tells times, which differ. */
        private void reports(Reports reports) throws FileConflictException, IOException {
            List<WrittenFile> files = staging.preview();
            boolean known = files.stream().allMatch(file -> file.state() == State.UNCHANGED);
            for (Map.Entry<String, String> report : reports.of(files).entrySet()) {
                String name = fix.stem() + ".report." + report.getKey();
                Path there = folder.resolve(name);
                boolean kept = known && Files.isRegularFile(there);
                staging.add(name, "the report", kept ? Files.readString(there) : report.getValue());
            }
            refuseConflicts();
        }
    }
}
