package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Faults;
import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions as the statements that they send, which can be stopped inside of one. A guarded transaction sends {@code SHOW
 * transaction_isolation} too, in one round trip with its point; that takes neither a snapshot nor a lock, and is left out.
 */
final class Statements {
    private static final Position AT = Position.generated("proof");

    /** One session at a level, again and again on 40001 where it is guarded. */
    record Writer(Isolation level, int retry, List<Step> steps) {
        Writer {
            steps = List.copyOf(steps);
        }
    }

    private Statements() {}

    /** {@return what a guarded transaction sends} */
    static Writer guarded(SerializationPoint point, Isolation level, int shift, String... work) {
        List<Step> steps = new ArrayList<>();
        steps.add(write(point.sql(String.valueOf(shift))));
        steps.addAll(checked(point.invariant(), level, shift, work).steps());
        return new Writer(level, 2, steps);
    }

    /** {@return the same without the point} */
    static Writer checked(Invariant invariant, Isolation level, int shift, String... work) {
        List<Step> steps = new ArrayList<>(raw(level, work).steps());
        steps.add(check("SELECT NOT EXISTS (" + invariant.violationSqlFor(String.valueOf(shift)) + ")"));
        return new Writer(level, 2, steps);
    }

    static Writer counting(Isolation level, int shift, String doctor) {
        return new Writer(
                level,
                0,
                List.of(
                        check("SELECT EXISTS (SELECT FROM on_call WHERE shift_id = %d AND doctor <> '%s' AND active)"
                                .formatted(shift, doctor)),
                        write(leave(shift, doctor))));
    }

    static Writer raw(Isolation level, String... work) {
        return new Writer(
                level, 0, List.of(work).stream().map(Statements::write).toList());
    }

    private static Step write(String sql) {
        return new Step.Write(SqlTemplate.parse(sql), false, AT);
    }

    private static Step check(String sql) {
        return new Step.Check(SqlTemplate.parse(sql), Optional.of(Trial.REFUSED), false, AT);
    }

    /** {@return all of them at once} */
    static Scenario atOnce(String setup, Invariant invariant, List<Writer> writers) {
        Map<String, TransactionSpec> transactions = new LinkedHashMap<>();
        List<Session> sessions = new ArrayList<>();
        for (Writer writer : writers) {
            String name = "writer" + (sessions.size() + 1);
            transactions.put(name, spec(name, writer));
            sessions.add(new Session(List.of(new Call(name, Map.of()))));
        }
        return new Scenario(
                "proof",
                "proof",
                setup,
                AT,
                transactions,
                List.of(new Run(sessions, AT)),
                List.of(invariant),
                Faults.NONE,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private static TransactionSpec spec(String name, Writer writer) {
        return new TransactionSpec(
                name, List.of(), Optional.empty(), writer.level(), writer.retry(), true, writer.steps(), AT);
    }
}
