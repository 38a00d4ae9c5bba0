package dev.cerrojo.etcd;

import dev.cerrojo.lease.ReleaseWatch;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is watched at the moment; each by a connection of its own, and no thread. */
final class Watches implements AutoCloseable {
    private final Gateway gateway;
    private final Set<Watch> open = ConcurrentHashMap.newKeySet();

    Watches(Gateway gateway) {
        this.gateway = gateway;
    }

    /** Returns when etcd watches, but does not wait for that for long. */
    ReleaseWatch open(KeyRange range, Runnable hint) {
        Watch watch = new Watch(gateway, range, hint);
        open.add(watch);
        watch.begin();
        return () -> {
            open.remove(watch);
            watch.close();
        };
    }

    @Override
    public void close() {
        open.forEach(Watch::close);
        open.clear();
    }
}
