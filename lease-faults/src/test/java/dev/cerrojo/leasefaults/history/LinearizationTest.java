package dev.cerrojo.leasefaults.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.leasefaults.history.Call.Told;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Times are in ms; a lease lasts 100. */
class LinearizationTest {
    private static final long MILLI = 1_000_000;
    private static final Timing TIMING = new Timing(Duration.ofMillis(100), Duration.ofMillis(20));
    private static final Set<String> WHOLE = Set.of();

    @Test
    void aHandOverIsLinearizable() {
        assertLinearizable(
                granted("a", 0, 1, 1),
                refused("b", 2, 3),
                told(Kind.RELEASE, "a", 4, 6, Told.YES),
                granted("b", 5, 7, 2));
    }

    @Test
    void whatOverlapsMayComeInEitherOrder() {
        assertLinearizable(granted("b", 0, 10, 2), granted("a", 1, 9, 1), told(Kind.RELEASE, "a", 2, 8, Told.YES));
    }

    @Test
    void aLeaseMayExpireOnceItsTimeIsOver() {
        assertLinearizable(granted("a", 0, 1, 1), granted("b", 90, 110, 2), told(Kind.RENEW, "a", 111, 112, Told.NO));
    }

    @Test
    void aQuestionWithoutAnAnswerMayHaveHadItsEffectOrNot() {
        assertLinearizable(granted("a", 0, 1, 1), open(Kind.RELEASE, "a", 2), granted("b", 3, 4, 2));
        assertLinearizable(granted("a", 0, 1, 1), open(Kind.RELEASE, "a", 2), told(Kind.RENEW, "a", 3, 4, Told.YES));
    }

    @Test
    void nobodyIsGrantedWhatAnotherHolds() {
        assertRefused(granted("a", 0, 1, 1), granted("b", 50, 60, 2));
    }

    @Test
    void aRenewalHoldsItForLonger() {
        assertRefused(granted("a", 0, 1, 1), told(Kind.RENEW, "a", 80, 81, Told.YES), granted("b", 110, 120, 2));
    }

    @Test
    void whatWasLostIsNotRenewed() {
        assertRefused(granted("a", 0, 1, 1), granted("b", 110, 111, 2), told(Kind.RENEW, "a", 112, 113, Told.YES));
    }

    @Test
    void whatAnotherHoldsIsNotReleased() {
        assertRefused(granted("a", 0, 1, 1), granted("b", 110, 111, 2), told(Kind.RELEASE, "a", 112, 113, Told.YES));
    }

    @Test
    void aHolderIsNotToldThatItHoldsNothing() {
        assertRefused(granted("a", 0, 1, 1), told(Kind.RENEW, "a", 10, 11, Told.NO));
        assertRefused(granted("a", 0, 1, 1), told(Kind.RELEASE, "a", 10, 11, Told.NO));
    }

    /** Another is granted it later than that, or its answer is late; either way the holder was told too early. */
    @Test
    void whoHasItIsNotToldEarlyThatItExpired() {
        Call early = told(Kind.RENEW, "a", 80, 90, Told.NO);
        assertRefused(granted("a", 0, 1, 1), granted("b", 50, 110, 2), early);
        assertRefused(granted("a", 0, 1, 1), open(Kind.ACQUIRE, "b", 50), early);
        assertLinearizable(granted("a", 0, 1, 1), granted("b", 50, 110, 2), told(Kind.RENEW, "a", 80, 110, Told.NO));
    }

    @Test
    void tokensGrow() {
        assertRefused(granted("a", 0, 1, 2), told(Kind.RELEASE, "a", 2, 3, Told.YES), granted("b", 4, 5, 2));
    }

    @Test
    void nothingHasItsEffectBeforeItIsAsked() {
        assertRefused(granted("a", 0, 1, 1), granted("b", 2, 3, 2), told(Kind.RELEASE, "a", 4, 5, Told.YES));
    }

    @Test
    void aRefusalNeedsAReason() {
        assertRefused(refused("a", 0, 1));
        assertRefused(granted("a", 0, 1, 1), told(Kind.RELEASE, "a", 2, 3, Told.YES), refused("b", 4, 5));
        assertLinearizable(granted("a", 0, 1, 1), told(Kind.RELEASE, "a", 2, 4, Told.YES), refused("b", 3, 5));
    }

    /** It lasts 100 from some time of the grant on, or 20 more, and the clocks differ by 5. */
    @Test
    void whatIsOverIsNoReason() {
        assertLinearizable(granted("a", 0, 1, 1), refused("b", 125, 126));
        assertRefused(granted("a", 0, 1, 1), refused("b", 130, 131));
        assertLinearizable(granted("a", 0, 10, 1), refused("b", 130, 131));
        assertLinearizable(granted("a", 0, 1, 1), told(Kind.RENEW, "a", 90, 91, Told.YES), refused("b", 215, 216));
    }

    @Test
    void whatMayHaveBeenGrantedIsAReason() {
        assertLinearizable(open(Kind.ACQUIRE, "a", 0), refused("b", 50, 51));
        assertRefused(granted("a", 0, 1, 1), told(Kind.RELEASE, "a", 2, 3, Told.DONE), refused("b", 4, 5));
    }

    @Test
    void groupsAreHeldApartAndExcludeTheWhole() {
        assertLinearizable(of("text", granted("a", 0, 1, 1)), of("seo", granted("b", 2, 3, 2)), refused("c", 4, 5));
        assertRefused(of("text", granted("a", 0, 1, 1)), granted("b", 2, 3, 2));
        assertRefused(granted("a", 0, 1, 1), of("text", granted("b", 2, 3, 2)));
        assertRefused(of("text", granted("a", 0, 1, 1)), of("text", granted("b", 2, 3, 2)));
        assertRefused(of("text", granted("a", 0, 1, 1)), of("seo", refused("b", 2, 3)));
    }

    @Test
    void tokensGrowAmongThoseThatExcludeEachOther() {
        assertLinearizable(of("text", granted("a", 0, 1, 2)), of("seo", granted("b", 2, 3, 1)));
        Call over = of("text", granted("a", 0, 1, 2));
        assertRefused(over, of("text", granted("b", 110, 111, 1)));
        assertRefused(over, granted("b", 130, 131, 1));
    }

    @Test
    void whatIsStaleDoesNotCommit() {
        Call first = granted("a", 0, 1, 1);
        assertLinearizable(first, committed("a", 200, 210, 1, Told.YES));
        assertLinearizable(first, granted("b", 110, 111, 2), committed("a", 200, 210, 1, Told.NO));
        assertLinearizable(first, granted("b", 110, 120, 2), committed("a", 105, 115, 1, Told.YES));
        assertRefused(first, granted("b", 110, 111, 2), committed("a", 200, 210, 1, Told.YES));
        assertRefused(first, of("text", granted("b", 110, 111, 2)), committed("a", 200, 210, 1, Told.YES));
    }

    @Test
    void ofAnotherGroupNothingIsStale() {
        Call first = of("text", granted("a", 0, 1, 1));
        assertLinearizable(first, of("seo", granted("b", 2, 3, 2)), of("text", committed("a", 4, 5, 1, Told.YES)));
        assertRefused(first, granted("b", 130, 131, 2), of("text", committed("a", 140, 150, 1, Told.YES)));
    }

    /** Though the lease is over. */
    @Test
    void anOpenTransactionIsAReason() {
        assertLinearizable(granted("a", 0, 1, 1), committed("a", 50, 300, 1, Told.YES), refused("b", 200, 201));
        assertRefused(granted("a", 0, 1, 1), committed("a", 50, 150, 1, Told.YES), refused("b", 200, 201));
    }

    private static Call of(String group, Call call) {
        return new Call(
                call.kind(), call.owner(), Set.of(group), call.invoked(), call.returned(), call.told(), call.token());
    }

    private static Call committed(String owner, long invoked, long returned, long token, Told told) {
        return new Call(Kind.COMMIT, owner, WHOLE, invoked * MILLI, returned * MILLI, told, token);
    }

    private static Call granted(String owner, long invoked, long returned, long token) {
        return new Call(Kind.ACQUIRE, owner, WHOLE, invoked * MILLI, returned * MILLI, Told.YES, token);
    }

    private static Call refused(String owner, long invoked, long returned) {
        return told(Kind.ACQUIRE, owner, invoked, returned, Told.NO);
    }

    private static Call told(Kind kind, String owner, long invoked, long returned, Told told) {
        return new Call(kind, owner, WHOLE, invoked * MILLI, returned * MILLI, told, 0);
    }

    private static Call open(Kind kind, String owner, long invoked) {
        return new Call(kind, owner, WHOLE, invoked * MILLI, Call.NEVER, Told.NOTHING, 0);
    }

    private static void assertLinearizable(Call... calls) {
        assertThat(Linearization.violation(List.of(calls), TIMING)).isEmpty();
    }

    private static void assertRefused(Call... calls) {
        assertThat(Linearization.violation(List.of(calls), TIMING)).isPresent();
    }
}
