package dev.cerrojo.benchmarks.leases;

import dev.cerrojo.lease.Fences;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.Leases;
import javax.sql.DataSource;

/** Cerrojo's leases. */
record Ours(String name, Leases leases) implements Rival {
    private static final LeaseSettings SETTINGS =
            LeaseSettings.builder().leaseDuration(LEASE).build();

    static Ours inPostgres(DataSource dataSource) {
        return new Ours("Cerrojo, fenced", Leases.over(dataSource, SETTINGS));
    }

    static Ours in(String name, LeaseStore store) {
        return new Ours(name, Leases.over(store, SETTINGS));
    }

    static Ours fenced(String name, LeaseStore store, DataSource dataSource) {
        return new Ours(name, Leases.over(store, SETTINGS, Fences.over(dataSource)));
    }

    @Override
    public Held take(String key) {
        return held(Rival.free(leases.tryAcquire(LeaseScope.of(key)), key));
    }

    @Override
    public Held await(String key) {
        return held(leases.acquire(LeaseScope.of(key)));
    }

    private static Held held(Lease lease) {
        return lease::release;
    }

    @Override
    public void close() {
        leases.close();
    }
}
