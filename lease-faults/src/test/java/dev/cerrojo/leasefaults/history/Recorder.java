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
import javax.sql.DataSource;

/**
 * A program that asks a store for leases of one entity or of its groups, again and again: keeps one, renews it, releases it or forgets it,
 * as chance has it, and says each question and each answer. Arguments: the store and its address, the URL of the database, a seed, a {@link
 * Behavior}, and for how many milliseconds a lease is asked for.
 */
final class Recorder {
    static final String ENTITY = "history";

    private static final List<List<String>> SCOPES =
            List.of(List.of(), List.of(), List.of("text"), List.of("seo"), List.of("seo", "text"));

    private final LeaseStore store;
    private final Random random;
    private final Behavior behavior;
    private final Duration lease;

    /** What is recorded, and how wrong it is. */
    enum Behavior {
        RIGHT,
        /** Renewals that fail are told to have succeeded. */
        RENEWS_WHAT_IS_LOST,
        /** Nobody is ever granted anything. */
        REFUSES_EVERYBODY,
        /** Transactions whose holders believe for far too long that they hold something, fenced. */
        FENCED,
        /** The same without the fence. */
        UNFENCED
    }

    private Recorder(LeaseStore store, Random random, Behavior behavior, Duration lease) {
        this.store = store;
        this.random = random;
        this.behavior = behavior;
        this.lease = lease;
    }

    public static void main(String[] arguments) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[2]);
        config.setMaximumPoolSize(4);
        DataSource dataSource = new HikariDataSource(config);
        LeaseStore store = StoreKind.valueOf(arguments[0]).open(arguments[1], dataSource);
        Random random = new Random(Long.parseLong(arguments[3]));
        Behavior behavior = Behavior.valueOf(arguments[4]);
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[5]));
        switch (behavior) {
            case FENCED, UNFENCED ->
                new CommitRecorder(store, dataSource, random, behavior == Behavior.FENCED, lease).recordForEver();
            default -> new Recorder(store, random, behavior, lease).recordForEver();
        }
    }

    private void recordForEver() {
        while (true) {
            LeaseClaim claim = new LeaseClaim(ENTITY, groups(random), newOwner());
            if (ask(Kind.ACQUIRE, claim, () -> acquired(claim)).startsWith("YES")) {
                hold(claim);
            }
            rest(random, lease.dividedBy(4));
        }
    }

    static List<String> groups(Random random) {
        return SCOPES.get(random.nextInt(SCOPES.size()));
    }

    static String newOwner() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** Sometimes for longer than it lasts. */
    private void hold(LeaseClaim claim) {
        for (int renewals = random.nextInt(3); renewals > 0; renewals--) {
            rest(random, lease.multipliedBy(3).dividedBy(2));
            ask(Kind.RENEW, claim, () -> yesOrNo(renewed(claim)));
        }
        rest(random, lease.multipliedBy(3).dividedBy(2));
        if (random.nextInt(4) > 0) {
            ask(Kind.RELEASE, claim, () -> yesOrNo(store.release(claim)));
        }
    }

    private boolean renewed(LeaseClaim claim) {
        return store.renew(claim, lease).isPresent() || behavior == Behavior.RENEWS_WHAT_IS_LOST;
    }

    static void rest(Random random, Duration most) {
        LockSupport.parkNanos(random.nextLong(most.toNanos()));
    }

    private String acquired(LeaseClaim claim) {
        return behavior != Behavior.REFUSES_EVERYBODY
                        && store.tryAcquire(claim, lease) instanceof LeaseAttempt.Granted granted
                ? yesOrNo(true) + " " + granted.token()
                : yesOrNo(false);
    }

    static String yesOrNo(boolean yes) {
        return yes ? "YES" : "NO";
    }

    private static String ask(Kind kind, LeaseClaim claim, Supplier<String> question) {
        return ask(kind, claim.owner(), claim.groups(), () -> {
            try {
                return question.get();
            } catch (LeaseStoreException unreachable) {
                return "NOTHING";
            }
        });
    }

    static String ask(Kind kind, String owner, List<String> groups, Supplier<String> question) {
        System.out.println("ASK %s %s %s %d"
                .formatted(kind, owner, groups.isEmpty() ? "-" : String.join(",", groups), System.nanoTime()));
        String answer = question.get();
        System.out.println("TOLD " + System.nanoTime() + " " + answer);
        return answer;
    }
}
