package dev.cerrojo.idempotencycontract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotencycontract.InMemoryRequestStore.Flaw;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The controls of the contract: each mistake is found by the tests that are there for it. */
class RequestStoreContractControlTest {
    private static final AtomicReference<Flaw> FLAW = new AtomicReference<>();

    /** Run by the control alone. */
    static class Flawed extends RequestStoreContract {
        private final RequestStore store = new InMemoryRequestStore(FLAW.get());

        @Override
        protected RequestStore store() {
            return store;
        }

        @Override
        protected Duration patience() {
            return Duration.ofMillis(300);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
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
