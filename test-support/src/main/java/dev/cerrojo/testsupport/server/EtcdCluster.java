package dev.cerrojo.testsupport.server;

import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.process.TestProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;

/**
 * Members of an etcd cluster on this machine, each of which can be paused, killed and started again. A test that asks for one is
 * skipped where there is no etcd.
 */
public final class EtcdCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final List<Member> members;

    private EtcdCluster(List<Member> members) {
        this.members = members;
    }

    /** A member, its process, and how that is started again. */
    private static final class Member {
        private final List<String> words;
        private final URI endpoint;
        private final ServerFolder folder;
        private TestProcess process;

        Member(List<String> words, URI endpoint, ServerFolder folder) {
            this.words = words;
            this.endpoint = endpoint;
            this.folder = folder;
            this.process = run();
        }

        private TestProcess run() {
            return TestProcess.start(words, Map.of("ETCD_UNSUPPORTED_ARCH", "arm64"), folder.path());
        }
    }

    /**
     * Starts a cluster, and waits until it has a leader.
     *
     * @param size how many members: 1 or 3
     */
    public static EtcdCluster start(int size) {
        Optional<Path> program = Programs.find("etcd");
        Assumptions.assumeTrue(
                program.isPresent(), "etcd is not on the PATH, so this is not tested: apt-get install etcd-server");
        EtcdCluster cluster = new EtcdCluster(startMembers(program.orElseThrow(), size));
        Await.until("etcd is healthy", () -> cluster.members.stream().allMatch(cluster::healthy));
        return cluster;
    }

    private static List<Member> startMembers(Path program, int size) {
        List<String> clients = urls(size);
        List<String> peers = urls(size);
        String all = IntStream.range(0, size)
                .mapToObj(index -> "member%d=%s".formatted(index, peers.get(index)))
                .collect(Collectors.joining(","));
        List<Member> members = new ArrayList<>();
        for (int index = 0; index < size; index++) {
            ServerFolder folder = ServerFolder.create("etcd");
            List<String> words = words(program, "member" + index, clients.get(index), peers.get(index), all);
            members.add(new Member(words, URI.create(clients.get(index)), folder));
        }
        return members;
    }

    private static List<String> words(Path program, String name, String client, String peer, String all) {
        return List.of(
                program.toString(),
                "--name=" + name,
                "--data-dir=data",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + all,
                "--heartbeat-interval=50",
                "--election-timeout=500");
    }

    private static List<String> urls(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> "http://127.0.0.1:" + FreePorts.any())
                .toList();
    }

    /** {@return the addresses of all members, in an order that stays} */
    public List<URI> endpoints() {
        return members.stream().map(member -> member.endpoint).toList();
    }

    /** {@return the number of the member that leads, once there is one} */
    public int leader() {
        Await.until("etcd has a leader", () -> currentLeader().isPresent());
        return currentLeader().orElseThrow();
    }

    private Optional<Integer> currentLeader() {
        return IntStream.range(0, members.size())
                .filter(index -> ask(members.get(index), "metrics").contains("\netcd_server_is_leader 1"))
                .boxed()
                .findFirst();
    }

    private boolean healthy(Member member) {
        return ask(member, "health").contains("\"true\"");
    }

    private String ask(Member member, String path) {
        HttpRequest request = HttpRequest.newBuilder(member.endpoint.resolve("/" + path))
                .timeout(PATIENCE)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException unreachable) {
            return "";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Pauses a member by SIGSTOP. */
    public void pause(int member) {
        members.get(member).process.pause();
    }

    /** Lets a paused member go on. */
    public void resume(int member) {
        members.get(member).process.resume();
    }

    /** Kills a member by SIGKILL, and waits for its end. */
    public void kill(int member) {
        members.get(member).process.kill();
    }

    /** Kills a member, and starts it again with what it has on disk; returns when it is healthy. */
    public void restart(int member) {
        restartWithoutWaiting(member);
        Await.until("a restarted member of etcd is healthy", () -> healthy(members.get(member)));
    }

    /** Kills a member, and starts it again; it gets healthy when it sees enough others. */
    public void restartWithoutWaiting(int member) {
        Member restarted = members.get(member);
        restarted.process.kill();
        restarted.process = restarted.run();
    }

    @Override
    public void close() {
        members.forEach(member -> member.process.close());
        members.forEach(member -> member.folder.close());
    }
}
