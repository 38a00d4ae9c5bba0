package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.guards.Statements.Writer;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.SerializationPoint;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cells of the matrix that hold, as the statements that they send, with stops inside of each statement and COMMIT. */
class GuardMatrixGatedTest {
    private static final ProofTable TABLE = ProofTable.byLevel("two writers of one scope, inside of statements");
    private static final String PLAIN = Hospital.TABLES
            + String.join(";\n", SerializationPoint.touch(Hospital.COVERAGE).setupStatements()) + ";\n";
    private static final String TRIGGERED =
            PLAIN + TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()).installSql();
    private static Laboratory laboratory;

    @BeforeAll
    static void open() throws SQLException {
        laboratory = new Laboratory();
    }

    @AfterAll
    static void close() throws SQLException {
        laboratory.close();
        TABLE.publish();
    }

    static Stream<Cell> cells() {
        return Cell.all().filter(cell -> cell.expected() == Cell.Answer.HOLDS);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void holdsInsideOfStatementsToo(Cell cell) throws SQLException {
        Scenario scenario = Statements.atOnce(
                cell.arrangement().hasTrigger() ? TRIGGERED : PLAIN,
                Hospital.COVERAGE,
                List.of(writer(cell, 0), writer(cell, 1)));

        Exploration found = laboratory.explore(scenario, Arena.Gates.ON);

        TABLE.add(cell.row(), cell.level(), found.verdict(), found.schedules());
        assertThat(found.verdict()).as("%s", found).isEqualTo(Verdict.HOLDS);
        assertThat(found.deadlocking()).isZero();
        assertThat(found.committing()).isEqualTo(found.schedules());
    }

    private static Writer writer(Cell cell, int writer) {
        String doctor = writer == 0 ? "A" : "B";
        if (writer < cell.arrangement().guarded()) {
            return Statements.guarded(
                    cell.point().orElseThrow().of(Hospital.COVERAGE), cell.level(), 1, leave(1, doctor));
        }
        return cell.arrangement().hasTrigger()
                ? Statements.raw(cell.level(), leave(1, doctor))
                : Statements.counting(cell.level(), 1, doctor);
    }
}
