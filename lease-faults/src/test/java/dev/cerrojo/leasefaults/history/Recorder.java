package dev.cerrojo.leasefaults.history;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.lease.LeaseAttempt;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.leasefaults.StoreKind;
import dev.cerrojo.leasefaults.history.Call.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A program that asks a store for one lease, again and again: keeps it, renews it, releases it or forgets it, as chance has it, and says
 * each question and each answer. Arguments: the store and its address, the URL of the database, a seed, whether renewals that fail are told
 * to have succeeded.
 */
final class Recorder {
    static final Duration LEASE = Duration.ofMillis(300);

    private final LeaseStore store;
    private final Random random;
    private final boolean isFlawed;

    private Recorder(LeaseStore store, Random random, boolean isFlawed) {
        this.store = store;
        this.random = random;
        this.isFlawed = isFlawed;
    }

    public static void main(String[] arguments) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[2]);
        config.setMaximumPoolSize(2);
        LeaseStore store = StoreKind.valueOf(arguments[0]).open(arguments[1], new HikariDataSource(config));
        new Recorder(store, new Random(Long.parseLong(arguments[3])), Boolean.parseBoolean(arguments[4]))
                .recordForEver();
    }

    private void recordForEver() {
        while (true) {
            LeaseClaim claim = new LeaseClaim(
                    "history", List.of(), UUID.randomUUID().toString().replace("-", ""));
            if (ask(Kind.ACQUIRE, claim, () -> acquired(claim)).startsWith("YES")) {
                hold(claim);
            }
            rest(LEASE.dividedBy(4));
        }
    }

    /** Sometimes for longer than it lasts. */
    private void hold(LeaseClaim claim) {
        for (int renewals = random.nextInt(3); renewals > 0; renewals--) {
            rest(LEASE.multipliedBy(3).dividedBy(2));
            ask(Kind.RENEW, claim, () -> yesOrNo(store.renew(claim, LEASE).isPresent() || isFlawed));
        }
        rest(LEASE.multipliedBy(3).dividedBy(2));
        if (random.nextInt(4) > 0) {
            ask(Kind.RELEASE, claim, () -> yesOrNo(store.release(claim)));
        }
    }

    private void rest(Duration most) {
        LockSupport.parkNanos(random.nextLong(most.toNanos()));
    }

    private String acquired(LeaseClaim claim) {
        return store.tryAcquire(claim, LEASE) instanceof LeaseAttempt.Granted granted
                ? yesOrNo(true) + " " + granted.token()
                : yesOrNo(false);
    }

    private static String yesOrNo(boolean yes) {
        return yes ? "YES" : "NO";
    }

    private static String ask(Kind kind, LeaseClaim claim, Supplier<String> question) {
        System.out.println("ASK " + kind + " " + claim.owner() + " " + System.nanoTime());
        String answer;
        try {
            answer = question.get();
        } catch (LeaseStoreException unreachable) {
            answer = "NOTHING";
        }
        System.out.println("TOLD " + System.nanoTime() + " " + answer);
        return answer;
    }
}
