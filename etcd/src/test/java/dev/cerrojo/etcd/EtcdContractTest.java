package dev.cerrojo.etcd;

import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.leasecontract.LeaseStoreContract;
import dev.cerrojo.testsupport.server.EtcdCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What each store must do. */
class EtcdContractTest extends LeaseStoreContract {
    private static EtcdCluster etcd;

    @BeforeAll
    static void start() {
        etcd = EtcdCluster.start(1);
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Override
    protected LeaseStore open() {
        return EtcdLeaseStore.over(etcd.endpoints());
    }

    @Override
    protected Duration brief() {
        return Duration.ofSeconds(1);
    }

    /** The leader looks twice a second for what is over, and then writes that. */
    @Override
    protected int slackSeconds() {
        return 1;
    }
}
