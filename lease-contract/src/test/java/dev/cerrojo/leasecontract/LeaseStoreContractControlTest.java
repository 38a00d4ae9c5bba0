package dev.cerrojo.leasecontract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.leasecontract.FlawedLeaseStore.Flaw;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The controls of the contract: each mistake is found by the tests that are there for it. */
class LeaseStoreContractControlTest {
    private static final AtomicReference<Flaw> FLAW = new AtomicReference<>();

    /** Run by the control alone. */
    static class Flawed extends LeaseStoreContract {
        private final LeaseStore store = new FlawedLeaseStore(new InMemoryLeaseStore(), FLAW.get());

        @Override
        protected LeaseStore open() {
            return store;
        }

        @Override
        protected Duration brief() {
            return Duration.ofMillis(100);
        }

        @Override
        protected Duration patience() {
            return Duration.ofMillis(600);
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFound(Flaw flaw) {
        FLAW.set(flaw);
        List<DiscoverySelector> tests = flaw.foundBy().stream()
                .<DiscoverySelector>map(test -> selectMethod(Flawed.class, test))
                .toList();

        List<String> found = EngineTestKit.engine("junit-jupiter")
                .selectors(tests.toArray(DiscoverySelector[]::new))
                .execute()
                .testEvents()
                .failed()
                .map(event -> event.getTestDescriptor().getDisplayName().replace("()", ""))
                .toList();

        assertThat(found).containsExactlyInAnyOrderElementsOf(flaw.foundBy());
    }
}
