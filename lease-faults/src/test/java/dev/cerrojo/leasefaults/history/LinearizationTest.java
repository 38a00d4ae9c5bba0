package dev.cerrojo.leasefaults.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.leasefaults.history.Call.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times are in ms; a lease lasts 100. */
class LinearizationTest {
    private static final long MILLI = 1_000_000;

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

    private static Call granted(String owner, long invoked, long returned, long token) {
        return new Call(Kind.ACQUIRE, owner, invoked * MILLI, returned * MILLI, Told.YES, token);
    }

    private static Call refused(String owner, long invoked, long returned) {
        return told(Kind.ACQUIRE, owner, invoked, returned, Told.NO);
    }

    private static Call told(Kind kind, String owner, long invoked, long returned, Told told) {
        return new Call(kind, owner, invoked * MILLI, returned * MILLI, told, 0);
    }

    private static Call open(Kind kind, String owner, long invoked) {
        return new Call(kind, owner, invoked * MILLI, Call.NEVER, Told.NOTHING, 0);
    }

    private static void assertLinearizable(Call... calls) {
        assertThat(Linearization.violation(List.of(calls), 100 * MILLI)).isEmpty();
    }

    private static void assertRefused(Call... calls) {
        assertThat(Linearization.violation(List.of(calls), 100 * MILLI)).isPresent();
    }
}
