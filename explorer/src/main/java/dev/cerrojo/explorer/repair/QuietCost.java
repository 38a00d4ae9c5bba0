package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.MeasuredDatabase;
import dev.cerrojo.explorer.database.MeasuredDatabase.Ended;
import dev.cerrojo.explorer.database.MeasuredDatabase.Program;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.search.Progress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What each call costs when nobody else runs: counted, not timed.
 *
 * @param roundTrips of each of the file's session entries, how often it asks the server
 * @param walBytes of each, how much write-ahead log it writes
 */
record QuietCost(List<Integer> roundTrips, List<Long> walBytes) {
    /** What else writes to the log only adds to it, and so do the first changes of a page after a checkpoint. */
    private static final int TIMES = 3;

    QuietCost {
        roundTrips = List.copyOf(roundTrips);
        walBytes = List.copyOf(walBytes);
    }

    /** Runs each entry some times from the start state. */
    static QuietCost of(MeasuredDatabase database, List<Program> programs, List<Session> entries, Progress progress)
            throws SQLException {
        List<Integer> roundTrips = new ArrayList<>();
        List<Long> walBytes = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            progress.ran(i + 1L, 0, 0);
            long least = Long.MAX_VALUE;
            int trips = 0;
            for (int time = 0; time < TIMES; time++) {
                Calls.restore(database, i == 0 && time == 0);
                long before = database.walPosition();
                Ended ended = programs.get(i).run(0, entries.get(i));
                least = Math.min(least, database.walPosition() - before);
                trips = ended.roundTrips();
            }
            roundTrips.add(trips);
            walBytes.add(least);
        }
        return new QuietCost(roundTrips, walBytes);
    }

    /** {@return how many round trips more than another, of the entry where that is most} */
    int extraRoundTrips(QuietCost unguarded) {
        return IntStream.range(0, roundTrips.size())
                .map(i -> roundTrips.get(i) - unguarded.roundTrips().get(i))
                .max()
                .orElse(0);
    }

    long meanWalBytes() {
        return Math.round(walBytes.stream().mapToLong(Long::longValue).average().orElse(0));
    }
}
