package dev.cerrojo.testsupport.server;

import dev.cerrojo.testsupport.process.Await;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A Redis Cluster of three masters, each with a replica, on this machine. */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final int BUS_DISTANCE = 10_000;

    private final List<RedisServer> nodes;

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts one; returns when all slots are served and each replica follows its master. */
    public static RedisCluster start() {
        RedisCluster cluster = new RedisCluster(
                Stream.generate(RedisCluster::node).limit(2 * MASTERS).toList());
        cluster.join();
        return cluster;
    }

    /** {@return a cluster for tests that stop none of its nodes; one for the whole JVM} */
    public static RedisCluster shared() {
        return Shared.CLUSTER;
    }

    /** Started when it is first asked for; ends with the JVM. */
    private static final class Shared {
        private static final RedisCluster CLUSTER = start();
    }

    private static RedisServer node() {
        return RedisServer.startAt(
                FreePorts.withDistance(BUS_DISTANCE),
                List.of(
                        "--cluster-enabled",
                        "yes",
                        "--cluster-node-timeout",
                        "1000",
                        "--cluster-replica-validity-factor",
                        "0",
                        "--repl-diskless-sync-delay",
                        "0"));
    }

    private void join() {
        for (int index = 0; index < nodes.size(); index++) {
            nodes.get(index).ask("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(index + 1));
            nodes.get(0)
                    .ask(
                            "CLUSTER",
                            "MEET",
                            "127.0.0.1",
                            String.valueOf(nodes.get(index).port()));
        }
        IntStream.range(0, MASTERS).forEach(this::giveSlots);
        Await.until("all nodes know each other", () -> nodes.stream().allMatch(RedisCluster::knowsAll));
        for (int index = 0; index < MASTERS; index++) {
            replica(index).ask("CLUSTER", "REPLICATE", nodes.get(index).ask("CLUSTER", "MYID"));
        }
        Await.until("the cluster is ready", () -> nodes.stream().allMatch(RedisCluster::ready) && replicasFollow());
    }

    private void giveSlots(int master) {
        Stream<String> slots = IntStream.range(0, SLOTS)
                .filter(slot -> slot * MASTERS / SLOTS == master)
                .mapToObj(String::valueOf);
        nodes.get(master)
                .ask(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
    }

    private static boolean knowsAll(RedisServer node) {
        return node.ask("CLUSTER", "INFO").contains("cluster_known_nodes:" + 2 * MASTERS);
    }

    private static boolean ready(RedisServer node) {
        return node.ask("CLUSTER", "INFO").contains("cluster_state:ok");
    }

    private boolean replicasFollow() {
        return IntStream.range(0, MASTERS)
                .allMatch(index -> replica(index).ask("INFO", "replication").contains("master_link_status:up"));
    }

    private RedisServer replica(int master) {
        return nodes.get(MASTERS + master);
    }

    /** {@return the ports of all nodes at 127.0.0.1; first those that began as masters} */
    public List<Integer> ports() {
        return nodes.stream().map(RedisServer::port).toList();
    }

    /**
     * {@return the master that has the slot of a key}
     *
     * @param key a key
     */
    public RedisServer masterOf(String key) {
        int slot = Integer.parseInt(nodes.get(0).ask("CLUSTER", "KEYSLOT", key));
        return nodes.get(slot * MASTERS / SLOTS);
    }

    /** Waits until another master has taken the place of one that was killed. */
    public void awaitFailover(RedisServer killed) {
        RedisServer replica = replica(nodes.indexOf(killed));
        Await.until(
                "the replica of a killed master is master",
                () -> replica.ask("INFO", "replication").contains("role:master") && ready(replica));
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
