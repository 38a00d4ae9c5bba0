package dev.cerrojo.leasefaults.history;

import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.leasefaults.history.Call.Told;
import dev.cerrojo.leasefaults.history.State.Hold;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Looks for an order of calls, each at a moment between its question and its answer, in which leases that are exclusive and expire by
 * themselves would have answered the same; the search of Wing and Gong, where no state is visited twice.
 *
 * <p>Their specification: nobody is granted what another holds of the entity or of one of its groups; nobody is refused what nobody
 * else holds; tokens grow among those that exclude each other; only a holder renews or releases; a transaction that relies on a lease
 * commits only when nobody has acquired what excludes it since. A lease may expire once its time since the last grant or renewal is over,
 * and has when what the store may be late is over too. Where transactions are fenced, one that is open is in the way of others, and so is,
 * briefly, who is refused for that.
 */
final class Linearization {
    private final List<Call> calls;
    private final Timing timing;
    private final boolean isFenced;
    private final Set<Visited> visited = new HashSet<>();
    private BitSet longest = new BitSet();

    private Linearization(List<Call> calls, Timing timing) {
        this.calls = calls;
        this.timing = timing;
        this.isFenced = calls.stream().anyMatch(call -> call.kind() == Kind.COMMIT);
    }

    /**
     * Checks a history.
     *
     * @param calls all calls about one entity, in any order
     * @param timing for how long a lease is granted and renewed
     * @return empty when it is linearizable; else the calls that no order gets past
     */
    static Optional<List<Call>> violation(List<Call> calls, Timing timing) {
        Linearization search = new Linearization(List.copyOf(calls), timing);
        return search.goesOn(new BitSet(), State.FIRST)
                ? Optional.empty()
                : Optional.of(
                        search.next(search.longest).mapToObj(search.calls::get).toList());
    }

    private record Visited(BitSet done, State state) {}

    private boolean goesOn(BitSet done, State state) {
        if (done.cardinality() > longest.cardinality()) {
            longest = (BitSet) done.clone();
        }
        if (isComplete(done)) {
            return true;
        }
        if (!visited.add(new Visited((BitSet) done.clone(), state))) {
            return false;
        }
        return next(done).anyMatch(next -> goesOnWith(next, done, state));
    }

    private boolean isComplete(BitSet done) {
        return IntStream.range(0, calls.size())
                .allMatch(i -> done.get(i) || calls.get(i).isOpen());
    }

    /** {@return those that may come next: no other one was answered before they were asked} */
    private IntStream next(BitSet done) {
        long firstAnswer = firstAnswer(done);
        return IntStream.range(0, calls.size())
                .filter(i -> !done.get(i) && calls.get(i).invoked() <= firstAnswer);
    }

    private long firstAnswer(BitSet done) {
        return IntStream.range(0, calls.size())
                .filter(i -> !done.get(i))
                .mapToLong(i -> calls.get(i).returned())
                .min()
                .orElse(Call.NEVER);
    }

    private boolean goesOnWith(int next, BitSet done, State state) {
        Call call = calls.get(next);
        long earliest = Math.max(call.invoked(), latestInvocation(done));
        BitSet after = (BitSet) done.clone();
        after.set(next);
        return outcomes(call, state, earliest, firstAnswer(done)).stream().anyMatch(outcome -> goesOn(after, outcome));
    }

    private long latestInvocation(BitSet done) {
        return done.stream().mapToLong(i -> calls.get(i).invoked()).max().orElse(Long.MIN_VALUE);
    }

    /** {@return what the entity's leases can be after the call; nothing when they would not have answered so} */
    private List<State> outcomes(Call call, State state, long earliest, long latest) {
        Hold held = timing.held(call.groups(), earliest, latest);
        return state
                .after(earliest)
                .until(latest > Call.NEVER - Timing.TOLERANCE_NANOS ? latest : latest + Timing.TOLERANCE_NANOS)
                .stream()
                .flatMap(now -> answering(call, now, held).stream())
                .toList();
    }

    private Optional<State> answering(Call call, State state, Hold held) {
        boolean isHolder = state.isHeldBy(call.owner());
        return switch (call.kind()) {
            case ACQUIRE -> acquired(call, state, held);
            case RENEW -> told(call.told(), isHolder, state.with(call.owner(), held), state);
            case RELEASE -> told(call.told(), isHolder, state.without(call.owner()), state);
            case COMMIT -> Optional.of(state).filter(any -> call.told() != Told.YES || isNewest(call, state));
        };
    }

    private Optional<State> acquired(Call call, State state, Hold held) {
        boolean isExcluded = state.isExcluded(call);
        return switch (call.told()) {
            case NO -> Optional.of(state).filter(any -> isExcluded || isBusy(call));
            case NOTHING -> Optional.of(state.with(call.owner(), held)).filter(any -> !isExcluded);
            case YES, DONE ->
                Optional.of(state.with(call.owner(), held).withToken(call))
                        .filter(any -> !isExcluded && call.token() > state.newest(call.groups()));
        };
    }

    /** {@return whether a commit of somebody else's, or what it makes others give up, was in the way meanwhile} */
    private boolean isBusy(Call refused) {
        return calls.stream()
                .filter(call -> isFenced && (call.kind() == Kind.COMMIT || call.kind() == Kind.ACQUIRE))
                .anyMatch(call -> refused.excludes(call.owner(), call.groups()) && refused.overlaps(call));
    }

    /** {@return whether nobody has acquired since what a commit relies on} */
    private static boolean isNewest(Call commit, State state) {
        return state.newest(commit.groups()) <= commit.token();
    }

    private static Optional<State> told(Told told, boolean isHolder, State after, State before) {
        return switch (told) {
            case YES, NOTHING -> Optional.of(after).filter(any -> isHolder);
            case NO -> Optional.of(before).filter(any -> !isHolder);
            case DONE -> Optional.of(after);
        };
    }
}
