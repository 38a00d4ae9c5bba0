package dev.cerrojo.explorer.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.fix.FixProof.Proof;
import dev.cerrojo.explorer.fix.WrittenFile.State;
import dev.cerrojo.explorer.fix.WrittenFix.Outcome;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.scenario.Repair;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardMigration;
import dev.cerrojo.guard.GuardOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixWriterPostgresTest {
    @TempDir
    private static Path scenarios;

    private static RepairReport leave;

    @TempDir
    private Path temporary;

    private Path folder = Path.of("");

    @BeforeEach
    void migrations() throws IOException {
        folder = Files.createDirectories(temporary.resolve("db/migration"));
        Files.writeString(folder.resolve("V041__tables.sql"), "SELECT 1;");
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }

    /** What is found of two doctors is asked of by many. */
    @BeforeAll
    static void leaves() throws IOException, SQLException {
        leave = Shifts.repair(Shifts.file(scenarios, "leave.yaml", Shifts.LEAVE), "touch", "trigger-guard");
    }

    private RepairReport repair(String yaml, String... candidates) throws IOException, SQLException {
        return Shifts.repair(Shifts.file(temporary, "leave.yaml", yaml), candidates);
    }

    /** As check --expectations does. */
    private void expectationsAreMet(String file) throws SQLException {
        Scenario regression = ScenarioReader.read(folder.resolve(file));
        assertThat(found(regression)).isEqualTo(Verdict.VIOLATED);
        for (Repair repair : regression.repairs()) {
            CheckResult result =
                    Shifts.checker(Bounds.none()).check(repair.repaired(), Goal.FIRST_VIOLATION_OR_DEADLOCK);
            assertThat(Judgement.of(repair.expect().orElseThrow(), result)).isEqualTo(Judgement.MET);
        }
    }

    private static Verdict found(Scenario scenario) throws SQLException {
        return Shifts.checker(Bounds.none())
                .check(scenario, Goal.FIRST_VIOLATION)
                .verdict();
    }

    @Test
    void theGuardIsTheNextMigrationAndASecondRunChangesNothing() throws Exception {

        WrittenFix first = Shifts.writer(folder, false).write(leave, Shifts.REPORTS);
        Map<String, String> written = contents();
        WrittenFix second = Shifts.writer(folder, false).write(leave, files -> Map.of("html", "another time"));

        assertThat(first.outcome()).as("%s", first).isEqualTo(Outcome.WRITTEN);
        assertThat(written.keySet())
                .containsExactly(
                        "GuardedCovered.java",
                        "V041__tables.sql",
                        "V042__guard_covered.sql",
                        "V042__guard_covered.sql.rollback",
                        "leave.regression.yaml",
                        "leave.report.html");
        assertThat(first.files()).extracting(WrittenFile::state).containsOnly(State.NEW);
        assertThat(first.proven()).hasSize(3).last().asString().startsWith("touch in every transaction, with V042");
        assertThat(second.files()).extracting(WrittenFile::state).containsOnly(State.UNCHANGED);
        assertThat(contents()).isEqualTo(written);
        expectationsAreMet("leave.regression.yaml");
    }

    @Test
    void aDifferingFileIsRefusedAndReplacedOnlyByForce() throws Exception {
        Files.writeString(folder.resolve("GuardedCovered.java"), "mine");
        Map<String, String> before = contents();

        assertThatThrownBy(() -> Shifts.writer(folder, false).write(leave, Shifts.REPORTS))
                .isInstanceOf(FileConflictException.class)
                .hasMessageContaining("GuardedCovered.java is there already and differs");
        assertThat(contents()).isEqualTo(before);

        WrittenFix forced = Shifts.writer(folder, true).write(leave, Shifts.REPORTS);
        assertThat(forced.outcome()).isEqualTo(Outcome.WRITTEN);
        assertThat(contents()).containsEntry("GuardedCovered.java.bak", "mine");
    }

    @Test
    void aConstraintOfPostgresIsWrittenWhereItIsRecommended() throws Exception {
        RepairReport report = repair(Shifts.BOOK, "touch", "native-constraint");

        WrittenFix fix = Shifts.writer(folder, false).write(report, Shifts.REPORTS);

        assertThat(fix.outcome()).as("%s", fix).isEqualTo(Outcome.WRITTEN);
        assertThat(contents().get("V042__guard_one_booking.sql"))
                .contains("EXCLUDE USING gist", "CREATE EXTENSION IF NOT EXISTS btree_gist")
                .doesNotContain("cerrojo.guard");
        expectationsAreMet("leave.regression.yaml");
    }

    @Test
    void whereNoTriggerCanBeTheApplicationsPartIsWritten() throws Exception {
        RepairReport report = repair(Shifts.SECURED, "touch", "trigger-guard");

        WrittenFix fix = Shifts.writer(folder, false).write(report, Shifts.REPORTS);

        assertThat(fix.outcome()).as("%s", fix).isEqualTo(Outcome.WRITTEN);
        assertThat(fix.notes())
                .singleElement()
                .asString()
                .startsWith("No guard in the database: ")
                .contains("row-level security");
        assertThat(contents().keySet())
                .contains("V042__guard_table_for_covered.sql", "V042__guard_table_for_covered.sql.rollback");
        assertThat(contents().get("GuardedCovered.java")).doesNotContain("Guards.over");
        expectationsAreMet("leave.regression.yaml");
    }

    /** Guards of several kinds are no candidate; one of plain SQL that every session breaks on its way is none either. */
    @Test
    void aGuardThatLetsNobodyCommitIsNotWritten() throws Exception {
        String pending = """
                setup: |
                  CREATE TABLE job (key text PRIMARY KEY, state text NOT NULL);
                  CREATE TABLE email (recipient text NOT NULL);
                transactions:
                  send:
                    steps:
                      - read: SELECT count(*) AS sent FROM email
                      - check: SELECT :sent = 0
                      - write: INSERT INTO job VALUES (gen_random_uuid()::text, 'PENDING')
                      - write: INSERT INTO email VALUES ('customer')
                      - write: UPDATE job SET state = 'DONE'
                run: [send(), send()]
                invariants:
                  nothing_stuck: SELECT key FROM job WHERE state = 'PENDING'
                  sent_once:
                    unique: email(recipient)
                """;
        RepairReport report = repair(pending, "advisory-lock", "native-constraint", "trigger-guard");

        WrittenFix fix = Shifts.writer(folder, false).write(report, Shifts.REPORTS);

        assertThat(fix.outcome()).as("%s", fix).isEqualTo(Outcome.WRITTEN);
        assertThat(fix.notes()).anyMatch(note -> note.contains("lets no session commit"));
        assertThat(contents().keySet()).noneMatch(name -> name.startsWith("V042"));
        expectationsAreMet("leave.regression.yaml");
    }

    @Test
    void withoutANeedOrARepairNothingIsWritten() throws Exception {
        String holds = Shifts.LEAVE.replace("at_least: 1", "at_most: 2");
        Map<String, String> before = contents();

        assertThat(Shifts.writer(folder, false).write(repair(holds, "touch"), Shifts.REPORTS))
                .satisfies(fix -> assertThat(fix.outcome()).isEqualTo(Outcome.NOT_NEEDED));
        assertThat(Shifts.writer(folder, false).write(repair(Shifts.LEAVE, "share-lock"), Shifts.REPORTS))
                .satisfies(fix -> assertThat(fix.outcome()).isEqualTo(Outcome.NO_REPAIR));
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void whatIsNotExploredToTheEndIsNotWritten() throws Exception {
        Map<String, String> before = contents();
        Bounds few = new Bounds(1, java.time.Duration.ofMinutes(1));
        FixWriter writer =
                new FixWriter(TestServer.shared(), Shifts.checker(few), Repairer.Inside.SKIPPED, folder, false);

        WrittenFix fix = writer.write(leave, Shifts.REPORTS);

        assertThat(fix.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(fix.notes()).singleElement().asString().contains("was not explored to the end");
        assertThat(fix.files()).isEmpty();
        assertThat(contents()).isEqualTo(before);
    }

    // ---------------------------------------------------------------- controls

    private Fix fix() throws IOException {
        Scenario scenario = ScenarioReader.read(Shifts.file(temporary, "leave.yaml", Shifts.LEAVE));
        List<Guard> guards = List.of(Guard.of(scenario.invariants().get(0), GuardOptions.defaults()));
        return new Fix(
                scenario,
                scenario.invariants(),
                guards,
                Optional.of(GuardMigration.of(guards)),
                new dev.cerrojo.explorer.repair.Candidate(
                        "touch", "touch", dev.cerrojo.explorer.repair.Candidate.Kind.CANDIDATE, "test"),
                Optional.empty());
    }

    private static FixProof proof() {
        return new FixProof(TestServer.shared(), Shifts.checker(Bounds.none()), Repairer.Inside.SKIPPED);
    }

    @Test
    void aMigrationWhoseTriggerIsDisabledIsFound() throws Exception {
        Fix fix = fix();
        GuardMigration migration = fix.migration().orElseThrow();
        String sabotaged = migration.installSql() + "\nALTER TABLE cerrojo.guard DISABLE TRIGGER covered;\n";

        Proof explored = proof().of("sabotaged", fix.scenario().withSetupAppended(sabotaged));
        Proof scripts = proof().ofScripts(fix, sabotaged, migration.rollbackSql());

        assertThat(explored.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(explored.problems()).singleElement().asString().startsWith("sabotaged does not hold: schedule 1:");
        assertThat(scripts.problems()).anyMatch(problem -> problem.contains("TRIGGER_DISABLED"));
    }

    @Test
    void aRollbackThatLeavesOrTakesSomethingIsFound() throws Exception {
        Fix fix = fix();
        GuardMigration migration = fix.migration().orElseThrow();

        assertThat(proof().ofScripts(fix, migration.installSql(), migration.rollbackSql())
                        .holds())
                .isTrue();
        assertThat(proof().ofScripts(fix, migration.installSql(), "SELECT 1;").problems())
                .anyMatch(problem -> problem.startsWith("the rollback leaves behind: "))
                .anyMatch(problem -> problem.contains("PostgreSQL does not take the migration, after its rollback,"));
        assertThat(proof().ofScripts(
                                fix,
                                migration.installSql(),
                                migration.rollbackSql() + "ALTER TABLE on_call ALTER active DROP NOT NULL;")
                        .problems())
                .anyMatch(problem -> problem.startsWith("the rollback takes away: column on_call"));
        assertThat(proof().ofScripts(fix, "\\set x 1\n" + migration.installSql(), "SELECT 1;")
                        .problems())
                .singleElement()
                .asString()
                .startsWith("PostgreSQL does not take the migration: ");
    }
}
