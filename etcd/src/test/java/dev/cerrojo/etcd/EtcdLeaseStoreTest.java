package dev.cerrojo.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.lease.LeaseAttempt.Granted;
import dev.cerrojo.lease.LeaseAttempt.Refused;
import dev.cerrojo.lease.LeaseClaim;
import dev.cerrojo.lease.LeaseStoreException;
import dev.cerrojo.lease.ReleaseWatch;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.proxy.Direction;
import dev.cerrojo.testsupport.proxy.TcpProxy;
import dev.cerrojo.testsupport.server.EtcdCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is etcd's own, beside what each store does. */
class EtcdLeaseStoreTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static EtcdCluster etcd;

    private final String entity = "entity/" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        etcd = EtcdCluster.start(3);
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private LeaseClaim claim(String... groups) {
        return new LeaseClaim(
                entity, List.of(groups), UUID.randomUUID().toString().replace("-", ""));
    }

    private static void whileDown(int member, Runnable work) {
        etcd.kill(member);
        try {
            work.run();
        } finally {
            etcd.restart(member);
        }
    }

    @Test
    void leasesOutliveTheLeaderAndTokensGrow() {
        try (EtcdLeaseStore store = EtcdLeaseStore.over(etcd.endpoints())) {
            LeaseClaim claim = claim();
            Granted before = (Granted) store.tryAcquire(claim, MINUTE);
            whileDown(etcd.leader(), () -> {
                Await.until("it is renewed by another leader", () -> renewed(store, claim));
                assertThat(store.tryAcquire(claim(), MINUTE)).isInstanceOf(Refused.class);
                assertThat(store.release(claim)).isTrue();
                Granted after = (Granted) store.tryAcquire(claim(), MINUTE);
                assertThat(after.token()).isGreaterThan(before.token());
            });
        }
    }

    private static boolean renewed(EtcdLeaseStore store, LeaseClaim claim) {
        try {
            assertThat(store.renew(claim, MINUTE)).isPresent();
            return true;
        } catch (LeaseStoreException noLeaderYet) {
            return false;
        }
    }

    @Test
    void memberThatIsStoppedIsPassedOver() {
        int follower = (etcd.leader() + 1) % 3;
        List<URI> followerFirst =
                List.of(etcd.endpoints().get(follower), etcd.endpoints().get(etcd.leader()));
        try (EtcdLeaseStore store = EtcdLeaseStore.over(followerFirst)) {
            etcd.pause(follower);
            assertThat(store.tryAcquire(claim(), MINUTE)).isInstanceOf(Granted.class);
        } finally {
            etcd.resume(follower);
        }
    }

    @Test
    void lostAnswersLeaveNothingThatKeepsOthersOut() {
        URI member = etcd.endpoints().get(0);
        try (TcpProxy proxy = TcpProxy.to(member.getHost(), member.getPort());
                EtcdLeaseStore store =
                        EtcdLeaseStore.over(List.of(URI.create("http://127.0.0.1:" + proxy.port()), member))) {
            for (int bytes = 0; bytes < 1200; bytes += 60) {
                LeaseClaim claim = claim("text");
                proxy.cutAfter(Direction.TO_CLIENT, bytes);
                boolean granted = store.tryAcquire(claim, MINUTE) instanceof Granted;
                assertThat(store.release(claim)).isEqualTo(granted);
                proxy.pass();
            }
            assertThat(store.tryAcquire(claim(), MINUTE)).isInstanceOf(Granted.class);
        }
    }

    @Test
    void releaseIsToldAlsoWhenTheWatchedMemberHasEnded() {
        AtomicInteger hints = new AtomicInteger();
        int follower = (etcd.leader() + 1) % 3;
        int other = (etcd.leader() + 2) % 3;
        List<URI> endpoints =
                List.of(etcd.endpoints().get(follower), etcd.endpoints().get(other));
        try (EtcdLeaseStore store = EtcdLeaseStore.over(endpoints);
                ReleaseWatch watch = store.watch(entity, MINUTE, hints::incrementAndGet)) {
            takeAndRelease(store);
            Await.until("the release is told", () -> hints.get() == 1);
            whileDown(follower, () -> {
                Await.until("that something may have been missed is told", () -> hints.get() == 2);
                takeAndRelease(store);
                Await.until("the release is told", () -> hints.get() == 3);
            });
        }
    }

    @Test
    void expiryIsTold() {
        AtomicInteger hints = new AtomicInteger();
        try (EtcdLeaseStore store = EtcdLeaseStore.over(etcd.endpoints());
                ReleaseWatch watch = store.watch(entity, MINUTE, hints::incrementAndGet)) {
            store.tryAcquire(claim(), Duration.ofSeconds(1));
            Await.until("the end is told", () -> hints.get() == 1);
            assertThat(store.tryAcquire(claim(), MINUTE)).isInstanceOf(Granted.class);
        }
    }

    private void takeAndRelease(EtcdLeaseStore store) {
        LeaseClaim claim = claim();
        assertThat(store.tryAcquire(claim, MINUTE)).isInstanceOf(Granted.class);
        assertThat(store.release(claim)).isTrue();
    }

    @Test
    void closedWatchTellsNothing() {
        AtomicInteger hints = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        try (EtcdLeaseStore store = EtcdLeaseStore.over(etcd.endpoints());
                ReleaseWatch other = store.watch(entity, MINUTE, others::incrementAndGet)) {
            store.watch(entity, MINUTE, hints::incrementAndGet).close();
            takeAndRelease(store);
            Await.until("the other is told", () -> others.get() == 1);
            assertThat(hints).hasValue(0);
        }
    }

    @Test
    void nobodyThereIsAFailureWithinTheTimeForAnAnswer() {
        URI nobody = URI.create("http://127.0.0.1:1");
        Duration limit = Duration.ofMillis(600);
        try (EtcdLeaseStore store = EtcdLeaseStore.over(List.of(nobody, nobody), HttpClient.newHttpClient(), limit)) {
            assertThatThrownBy(() -> store.renew(claim(), MINUTE))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("etcd did not say whether it could renew the lease of \"" + entity);
        }
    }

    @Test
    void endpointsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> EtcdLeaseStore.over(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("endpoints of etcd must be one or more, but there are none");
        assertThatThrownBy(() -> EtcdLeaseStore.over(List.of(URI.create("localhost:2379"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "an endpoint of etcd must be an address such as http://127.0.0.1:2379, but was \"localhost:2379\"");
    }
}
