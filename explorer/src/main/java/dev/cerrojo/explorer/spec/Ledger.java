package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.serial.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.postgresql.core.TransactionState;

/**
 * What of a session's work took effect. Its units are its blocks: {@link #SETUP}, the steps from 0, then the teardown. A block
 * takes effect with the COMMIT of the transaction that it is in.
 */
final class Ledger {
    static final int SETUP = -1;

    private static final Set<String> BEGINS = Set.of("BEGIN", "START TRANSACTION");

    private final List<Integer> pending = new ArrayList<>();
    private final List<Integer> committed = new ArrayList<>();
    private final Map<Integer, List<Part.Reading>> readings = new TreeMap<>();
    private final Map<Integer, StepResult.Failure> failures = new TreeMap<>();

    /** Enters a block that was run. */
    void add(int unit, Answer answer, List<Part.Reading> read, TransactionState before, TransactionState after) {
        readings.put(unit, read);
        answer.error().ifPresent(error -> failures.put(unit, error.failure()));
        int lastEnd = lastEnd(answer.tags());
        pending.add(unit);
        if (lastEnd >= 0 && !answer.tags().get(lastEnd).equals("ROLLBACK")) {
            committed.addAll(pending);
            pending.clear();
        } else if (after == TransactionState.IDLE) {
            if (before == TransactionState.IDLE && !answer.failed() && lastEnd < 0) {
                committed.add(unit);
            }
            pending.clear();
        } else if (lastEnd >= 0 && beginsAfter(answer.tags(), lastEnd)) {
            pending.clear();
            pending.add(unit);
        }
    }

    /** {@return where the last COMMIT or ROLLBACK is; the tag of ROLLBACK TO SAVEPOINT is ROLLBACK too} */
    private static int lastEnd(List<String> tags) {
        int last = tags.size() - 1;
        while (last >= 0 && !Set.of("COMMIT", "ROLLBACK", "PREPARE TRANSACTION").contains(tags.get(last))) {
            last--;
        }
        return last;
    }

    private static boolean beginsAfter(List<String> tags, int end) {
        return tags.subList(end, tags.size()).stream().anyMatch(BEGINS::contains);
    }

    /** {@return the units that took effect, and what was read in them} */
    Part part() {
        List<Part.Reading> read = new ArrayList<>();
        committed.forEach(unit -> read.addAll(readings.getOrDefault(unit, List.of())));
        return new Part(committed, read);
    }

    /** {@return what the session ended with: an error that a savepoint did not mend is a failure} */
    Outcome outcome() {
        Optional<StepResult.Failure> first = failures.entrySet().stream()
                .filter(failure -> !committed.contains(failure.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
        if (first.isPresent()) {
            return new Outcome.Failed(
                    first.orElseThrow().sqlState(), first.orElseThrow().message());
        }
        boolean nothing = committed.isEmpty() && !readings.isEmpty();
        return nothing ? new Outcome.Refused("rolled back") : new Outcome.Committed();
    }
}
