package dev.cerrojo.leasefaults;

import static dev.cerrojo.leasefaults.Outcome.REPLACED;
import static dev.cerrojo.leasefaults.Outcome.TOLD_AFTER;

import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisCluster;
import java.util.Set;
import java.util.stream.Collectors;

/** What befalls holders on every store, and the addresses of stores. */
final class HolderFaults {
    private HolderFaults() {}

    static void pausedAndKilled(Workplace place) {
        place.befall(Fault.HOLDER_PAUSED, Set.of(TOLD_AFTER), holder -> pauseUntilAnotherHasIt(place, holder));
        killed(place);
    }

    static void killed(Workplace place) {
        place.befall(
                Fault.HOLDER_KILLED,
                Set.of(REPLACED),
                holder -> holder.process().kill());
    }

    private static void pauseUntilAnotherHasIt(Workplace place, WorkerProcess holder) {
        holder.process().pause();
        place.awaitSuccessor(holder);
        holder.process().resume();
    }

    static String addresses(EtcdCluster etcd) {
        return etcd.endpoints().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    static String addresses(RedisCluster cluster) {
        return cluster.ports().stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }
}
