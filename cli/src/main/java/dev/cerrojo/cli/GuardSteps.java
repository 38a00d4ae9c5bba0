package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Does something with guards one after another. The first that fails ends the command; a report in JSON then still says
 * what was done before, which stays done.
 *
 * @param terminal where the report goes
 * @param command what is done
 * @param dryRun whether each is rolled back
 * @param json whether the report is JSON
 */
record GuardSteps(Terminal terminal, String command, boolean dryRun, boolean json) {
    /** What is done with one guard. */
    @FunctionalInterface
    interface Step {
        /** {@return what the report says of it, beside its name} */
        Map<String, Object> run(Guard guard) throws SQLException;
    }

    int run(List<Guard> guards, Step step) throws SQLException {
        List<Map<String, Object>> done = new ArrayList<>();
        for (Guard guard : guards) {
            try {
                done.add(entry(guard, step.run(guard)));
            } catch (SQLException | RuntimeException e) {
                failed(guards, done, Failure.of(e));
                throw e;
            }
        }
        report(ExitCode.OK, done);
        return ExitCode.OK;
    }

    private void failed(List<Guard> guards, List<Map<String, Object>> done, Failure failure) {
        int failed = done.size();
        done.add(entry(guards.get(failed), Map.of("outcome", "FAILED", "message", failure.message())));
        guards.subList(failed + 1, guards.size())
                .forEach(guard -> done.add(entry(guard, Map.of("outcome", "NOT_TRIED"))));
        report(failure.exitCode(), done);
    }

    private Map<String, Object> entry(Guard guard, Map<String, Object> facts) {
        Map<String, Object> entry = new LinkedHashMap<>(facts);
        entry.put("invariant", guard.invariant().name());
        entry.put("dryRun", dryRun);
        return entry;
    }

    private void report(int exitCode, List<Map<String, Object>> done) {
        if (json) {
            JsonOutput.print(terminal, command, exitCode, done);
        }
    }
}
