package dev.cerrojo.leasefaults;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;

/** A process whose clock is set keeps its leases, because nothing of ours reads that clock. {@link ClockFaultsTest} sets one. */
@AnalyzeClasses(
        packages = {"dev.cerrojo.lease", "dev.cerrojo.redis", "dev.cerrojo.etcd"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class ClockTest {
    @ArchTest
    static final ArchRule LEASES_DO_NOT_READ_THE_CLOCK =
            nothingReadsTheClock("dev.cerrojo.lease..", "dev.cerrojo.redis..", "dev.cerrojo.etcd..");

    private static ArchRule nothingReadsTheClock(String... packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages)
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class, Date.class);
    }

    @ArchTest
    static void whoReadsItIsFound(JavaClasses ignored) {
        for (Class<?> reader : new Class<?>[] {Millis.class, Now.class}) {
            assertThat(nothingReadsTheClock("dev.cerrojo.leasefaults")
                            .evaluate(new ClassFileImporter().importClasses(reader))
                            .hasViolation())
                    .as(reader.getSimpleName())
                    .isTrue();
        }
    }

    /** Reads it. */
    static final class Millis {
        long read() {
            return System.currentTimeMillis();
        }
    }

    /** Reads it. */
    static final class Now {
        Instant read() {
            return Instant.now();
        }
    }
}
