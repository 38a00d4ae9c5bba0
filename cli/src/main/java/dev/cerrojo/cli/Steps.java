package dev.cerrojo.cli;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Does something with things of a contract one after another. The first that fails ends the command; a report in JSON then
 * still says what was done before, which stays done.
 *
 * @param report how the report names the things, and where it goes
 * @param command what is done
 * @param dryRun whether each is rolled back
 * @param json whether the report is JSON
 * @param <T> what is done something with
 */
record Steps<T>(ContractReport<T> report, String command, boolean dryRun, boolean json) {
    /** What is done with one thing. */
    @FunctionalInterface
    interface Step<T> {
        /** {@return what the report says of it, beside its name} */
        Map<String, Object> run(T thing) throws SQLException;
    }

    int run(List<T> things, Step<T> step) throws SQLException {
        List<Map<String, Object>> done = new ArrayList<>();
        for (T thing : things) {
            try {
                done.add(entry(thing, step.run(thing)));
            } catch (SQLException | RuntimeException e) {
                failed(things, done, Failure.of(e));
                throw e;
            }
        }
        print(ExitCode.OK, done);
        return ExitCode.OK;
    }

    private void failed(List<T> things, List<Map<String, Object>> done, Failure failure) {
        int failed = done.size();
        done.add(entry(things.get(failed), Map.of("outcome", "FAILED", "message", failure.message())));
        things.subList(failed + 1, things.size())
                .forEach(thing -> done.add(entry(thing, Map.of("outcome", "NOT_TRIED"))));
        print(failure.exitCode(), done);
    }

    private Map<String, Object> entry(T thing, Map<String, Object> facts) {
        Map<String, Object> entry = new LinkedHashMap<>(facts);
        entry.put("dryRun", dryRun);
        return report.entry(thing, entry);
    }

    private void print(int exitCode, List<Map<String, Object>> done) {
        if (json) {
            report.print(command, exitCode, done);
        }
    }
}
