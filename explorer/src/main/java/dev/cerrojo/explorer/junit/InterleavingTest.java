package dev.cerrojo.explorer.junit;

import dev.cerrojo.explorer.search.Search;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test that explores a race. The method describes it, by its parameter; when the method has returned, every order of the
 * sessions' steps is run, and the test fails with the shortest one that violates what was asked.
 *
 * <pre>{@code
 * @InterleavingTest
 * void aDoctorStays(Interleavings race) {
 *     DoctorService service = new DoctorService(race.over(dataSource).dataSource());
 *     race.session("Ana leaves", () -> service.leave(1, "Ana"))
 *             .session("Ben leaves", () -> service.leave(1, "Ben"))
 *             .mayRefuse(LastDoctorException.class)
 *             .holds("SELECT id FROM shift WHERE NOT EXISTS (SELECT FROM on_call WHERE shift_id = id AND active)");
 * }
 * }</pre>
 *
 * <p>Rows that the test and its {@code @BeforeEach} methods committed are the start state of each schedule. The test must not
 * itself run in a transaction, such as one of Spring's {@code @Transactional}: sessions would not see what it did.
 *
 * <p>Configuration parameters of JUnit, which system properties set too: {@code cerrojo.replay} is a schedule to run instead of
 * all, and {@code cerrojo.disposable} lists, with commas, the databases whose rows may be put back.
 *
 * <p>For {@code @ParameterizedTest} and the like, {@code @ExtendWith(InterleavingExtension.class)} does the same with the
 * standard bounds.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
@ExtendWith(InterleavingExtension.class)
@ResourceLock("dev.cerrojo.explorer.junit")
public @interface InterleavingTest {
    /** {@return after how many schedules to give up; the test fails as inconclusive then} */
    long maxSchedules() default 20_000;

    /** {@return after how many seconds to give up; the test fails as inconclusive then} */
    long timeoutSeconds() default 60;

    /** {@return whether schedules that cannot be told apart are run once or each} */
    Search.Mode mode() default Search.Mode.REDUCED;

    /**
     * {@return how many random schedules to run, instead of all: for a race that is too large. That finds violations and never
     * shows that there is none, so the test fails as inconclusive, or is aborted, unless one is found; 0 runs all}
     */
    long randomSchedules() default 0;

    /** {@return where the chance of random schedules comes from: the same seed runs the same ones} */
    long seed() default 0;

    /** {@return what an inconclusive exploration does to the test} */
    WhenInconclusive whenInconclusive() default WhenInconclusive.FAIL;

    /** What becomes of a test whose exploration found nothing, but ended at a bound. */
    enum WhenInconclusive {
        /** It fails. */
        FAIL,
        /** It is aborted, as by a failed assumption: neither passed nor failed. */
        ABORT
    }
}
