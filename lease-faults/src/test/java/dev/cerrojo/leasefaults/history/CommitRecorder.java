package dev.cerrojo.leasefaults.history;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.lease.Fences;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.tx.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.sql.DataSource;

/**
 * Takes leases of a store, and commits transactions that rely on them, long after they are over too: nobody tells the holder, so that
 * nothing but the fence keeps it from it.
 */
final class CommitRecorder {
    private static final LeaseSettings FAR_TOO_LONG =
            LeaseSettings.builder().leaseDuration(Duration.ofHours(1)).build();

    private final Leases leases;
    private final Transactions transactions;
    private final Random random;
    private final boolean isFenced;
    private final Duration lease;

    CommitRecorder(LeaseStore store, DataSource dataSource, Random random, boolean isFenced, Duration lease) {
        this.leases = Leases.over(new OverstatingStore(store, lease), FAR_TOO_LONG, Fences.over(dataSource));
        this.transactions = Transactions.over(dataSource);
        this.random = random;
        this.isFenced = isFenced;
        this.lease = lease;
    }

    void recordForEver() {
        while (true) {
            Attempt attempt = new Attempt(Recorder.groups(random), Recorder.newOwner());
            attempt.take().ifPresent(attempt::use);
            Recorder.rest(random, lease.dividedBy(4));
        }
    }

    /** One acquisition, and what follows it. */
    private final class Attempt {
        private final List<String> groups;
        private final String owner;
        private Optional<Lease> taken = Optional.empty();

        Attempt(List<String> groups, String owner) {
            this.groups = groups;
            this.owner = owner;
        }

        Optional<Lease> take() {
            Recorder.ask(Kind.ACQUIRE, owner, groups, this::acquired);
            return taken;
        }

        private String acquired() {
            try {
                taken = leases.tryAcquire(scopes());
                return taken.map(mine -> "YES " + mine.token()).orElse("NO");
            } catch (LeaseStoreException unreachable) {
                return "NOTHING";
            }
        }

        private LeaseScope[] scopes() {
            return groups.isEmpty()
                    ? new LeaseScope[] {LeaseScope.of(Recorder.ENTITY)}
                    : groups.stream()
                            .map(group -> LeaseScope.of(Recorder.ENTITY, group))
                            .toArray(LeaseScope[]::new);
        }

        void use(Lease taken) {
            for (int commits = 1 + random.nextInt(2); commits > 0; commits--) {
                Recorder.rest(random, lease.multipliedBy(2));
                Recorder.ask(Kind.COMMIT, owner, groups, () -> committed(taken) + " " + taken.token());
            }
            Recorder.ask(Kind.RELEASE, owner, groups, () -> released(taken));
        }

        private String committed(Lease taken) {
            try {
                transactions.run(transaction -> {
                    if (isFenced) {
                        taken.fence(transaction);
                    }
                    Recorder.rest(random, lease.dividedBy(4));
                });
                return "YES";
            } catch (CerrojoException refused) {
                return "NO";
            }
        }

        /** Of a lease that is lost it is done in the background. */
        private String released(Lease taken) {
            boolean atOnce = taken.isHeld();
            taken.release();
            return atOnce ? "DONE" : "NOTHING";
        }
    }
}
