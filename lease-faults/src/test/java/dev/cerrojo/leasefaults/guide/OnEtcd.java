package dev.cerrojo.leasefaults.guide;

import dev.cerrojo.etcd.EtcdLeaseStore;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.lease.Leases;
import java.net.URI;
import java.util.List;

/** Leases on etcd. */
final class OnEtcd {
    private OnEtcd() {}

    static Leases ofTwoMembers(LeaseSettings settings) {
        LeaseStore store =
                EtcdLeaseStore.over(List.of(URI.create("http://etcd-1:2379"), URI.create("http://etcd-2:2379")));
        return Leases.over(store, settings);
    }
}
