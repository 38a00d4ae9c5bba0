package dev.cerrojo.leasefaults.history;

import dev.cerrojo.leasefaults.history.Call.Told;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Looks for an order of calls, each at a moment between its question and its answer, in which a lease that is exclusive and expires by
 * itself would have answered the same; the search of Wing and Gong, where no state is visited twice.
 *
 * <p>The lease's specification: nobody is granted what another holds; tokens grow; only a holder renews or releases. It may expire
 * once its time since the last grant or renewal is over, and may stay longer. A refusal needs no reason.
 */
final class Linearization {
    /** By so much the store's clock and the machine's may differ over the time of a lease. */
    private static final long TOLERANCE_NANOS = 5_000_000;

    private final List<Call> calls;
    private final long leaseNanos;
    private final Set<Visited> visited = new HashSet<>();
    private BitSet longest = new BitSet();

    private Linearization(List<Call> calls, long leaseNanos) {
        this.calls = calls;
        this.leaseNanos = leaseNanos;
    }

    /**
     * Checks a history.
     *
     * @param calls all calls about one lease, in any order
     * @param leaseNanos for how long it is granted and renewed
     * @return empty when it is linearizable; else the calls that no order gets past
     */
    static Optional<List<Call>> violation(List<Call> calls, long leaseNanos) {
        Linearization search = new Linearization(List.copyOf(calls), leaseNanos);
        return search.goesOn(new BitSet(), new State("", 0, 0))
                ? Optional.empty()
                : Optional.of(
                        search.next(search.longest).mapToObj(search.calls::get).toList());
    }

    /**
     * The lease after some calls.
     *
     * @param holder empty when nobody holds it
     * @param mayExpire when it may expire, at the earliest
     * @param token the last one
     */
    private record State(String holder, long mayExpire, long token) {
        State free() {
            return new State("", 0, token);
        }
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

    private List<State> outcomes(Call call, State state, long earliest, long latest) {
        List<State> outcomes = new ArrayList<>(answering(call, state, earliest));
        if (!state.holder().isEmpty() && latest >= state.mayExpire() - TOLERANCE_NANOS) {
            outcomes.addAll(answering(call, state.free(), earliest));
        }
        return outcomes;
    }

    /** {@return what the lease can be after the call; nothing when it would not have answered so} */
    private List<State> answering(Call call, State state, long earliest) {
        boolean isHolder = state.holder().equals(call.owner());
        State held = new State(call.owner(), earliest + leaseNanos, Math.max(state.token(), call.token()));
        return switch (call.kind()) {
            case ACQUIRE ->
                acquired(call, state, held, isHolder || state.holder().isEmpty());
            case RENEW -> told(call.told(), isHolder, held, state);
            case RELEASE -> told(call.told(), isHolder, state.free(), state);
        };
    }

    private static List<State> acquired(Call call, State state, State held, boolean mayBeHad) {
        return switch (call.told()) {
            case YES -> mayBeHad && call.token() > state.token() ? List.of(held) : List.of();
            case NO -> List.of(state);
            case NOTHING -> mayBeHad ? List.of(held) : List.of();
        };
    }

    private static List<State> told(Told told, boolean isHolder, State after, State before) {
        return switch (told) {
            case YES -> isHolder ? List.of(after) : List.of();
            case NO -> isHolder ? List.of() : List.of(before);
            case NOTHING -> isHolder ? List.of(after) : List.of();
        };
    }
}
