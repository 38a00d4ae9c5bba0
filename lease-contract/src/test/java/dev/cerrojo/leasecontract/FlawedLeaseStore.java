package dev.cerrojo.leasecontract;

import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.ReleaseWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A store with one mistake, as they are found in the field.
 *
 * @param store a right one
 * @param flaw the mistake
 */
record FlawedLeaseStore(InMemoryLeaseStore store, Flaw flaw) implements LeaseStore {
    private static final Duration LONG = Duration.ofHours(1);

    enum Flaw {
        RELEASE_DOES_NOT_COMPARE("nobodyReleasesWhatAnotherHolds", "whoHasLostItDoesNotReleaseTheNextHoldersClaim"),
        RENEWAL_RECREATES("renewingTakesNothing", "renewingAClaimThatHasEndedTakesNothing", "isAsTheModelSays"),
        RENEWAL_STEALS("nobodyRenewsWhatAnotherHolds"),
        GROUPS_ARE_THE_WHOLE("aGroupIsHeldByOneAndDifferentGroupsByMany", "differentGroupsAtOnceAreAllGranted"),
        THE_WHOLE_IS_A_GROUP("theWholeEntityExcludesItsGroupsAndTheyIt", "isAsTheModelSays"),
        FIRST_GROUP_ONLY("aGroupIsHeldByOneAndDifferentGroupsByMany", "ofARefusedClaimNothingIsHeld"),
        CHECKS_THEN_ACTS("ofManyAtOnceOneIsGranted"),
        NEVER_ENDS("aClaimThatIsNotRenewedEnds"),
        ENDS_EARLY("aClaimThatIsNotRenewedEnds"),
        RENEWAL_DOES_NOTHING("aRenewedClaimGoesOn"),
        TOKENS_START_AGAIN("tokensOnlyGrow"),
        REPEATED_IS_REFUSED("anAttemptWhoseAnswerWasLostCanBeRepeated"),
        NAMES_ARE_CUT("namesAreTakenAsTheyAre"),
        NO_HINTS("aReleaseGivesAHint", "aReleasedLeaseIsHandedOver");

        private final List<String> foundBy;

        Flaw(String... foundBy) {
            this.foundBy = List.of(foundBy);
        }

        List<String> foundBy() {
            return foundBy;
        }
    }

    @Override
    public LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        return switch (flaw) {
            case GROUPS_ARE_THE_WHOLE -> store.tryAcquire(with(claim, claim.entity(), List.of()), leaseDuration);
            case THE_WHOLE_IS_A_GROUP ->
                store.tryAcquire(claim.isWhole() ? with(claim, claim.entity(), List.of("*")) : claim, leaseDuration);
            case FIRST_GROUP_ONLY ->
                store.tryAcquire(
                        with(
                                claim,
                                claim.entity(),
                                claim.groups().stream().limit(1).toList()),
                        leaseDuration);
            case CHECKS_THEN_ACTS -> checkThenAct(claim, leaseDuration);
            case NEVER_ENDS -> store.tryAcquire(claim, LONG);
            case ENDS_EARLY -> store.tryAcquire(claim, leaseDuration.dividedBy(4));
            case TOKENS_START_AGAIN -> withoutToken(store.tryAcquire(claim, leaseDuration));
            case REPEATED_IS_REFUSED ->
                store.renew(claim, leaseDuration).isPresent()
                        ? new LeaseAttempt.Refused(leaseDuration)
                        : store.tryAcquire(claim, leaseDuration);
            case NAMES_ARE_CUT -> store.tryAcquire(with(claim, cut(claim.entity()), claim.groups()), leaseDuration);
            default -> store.tryAcquire(claim, leaseDuration);
        };
    }

    private static LeaseClaim with(LeaseClaim claim, String entity, List<String> groups) {
        return new LeaseClaim(entity, groups, claim.owner());
    }

    private static String cut(String name) {
        return name.strip();
    }

    private static LeaseAttempt withoutToken(LeaseAttempt attempt) {
        return attempt instanceof LeaseAttempt.Granted granted
                ? new LeaseAttempt.Granted(1, granted.validFor())
                : attempt;
    }

    /** Two who both find it free both take it. */
    private LeaseAttempt checkThenAct(LeaseClaim claim, Duration leaseDuration) {
        LeaseAttempt found = store.tryAcquire(claim, leaseDuration);
        if (found instanceof LeaseAttempt.Granted) {
            store.release(claim);
            Thread.yield();
            LeaseAttempt unused = store.tryAcquire(claim, leaseDuration);
        }
        return found;
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        return switch (flaw) {
            case RENEWAL_RECREATES -> {
                store.tryAcquire(claim, leaseDuration);
                yield store.renew(claim, leaseDuration);
            }
            case RENEWAL_STEALS -> {
                store.forget();
                store.tryAcquire(claim, leaseDuration);
                yield Optional.of(leaseDuration);
            }
            case RENEWAL_DOES_NOTHING -> Optional.of(leaseDuration);
            default -> store.renew(claim, leaseDuration);
        };
    }

    @Override
    public boolean release(LeaseClaim claim) {
        if (flaw == Flaw.RELEASE_DOES_NOT_COMPARE) {
            store.forget();
            return true;
        }
        return store.release(claim);
    }

    @Override
    public ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        return flaw == Flaw.NO_HINTS ? ReleaseWatch.NONE : store.watch(entity, upTo, hint);
    }

    @Override
    public void close() {}
}
