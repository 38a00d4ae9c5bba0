package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Installation.Outcome;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.TablesBusyException;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.tx.OneConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardsPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();
    private static final Installation HOW = Installation.defaults();
    private static final Guard COVERAGE = TriggerGuard.of(Hospital.COVERAGE, DEFAULTS);
    private static final String OBJECTS = """
            SELECT count(*) FROM (
              SELECT oid FROM pg_trigger WHERE NOT tgisinternal
              UNION ALL SELECT oid FROM pg_proc WHERE pronamespace = to_regnamespace('cerrojo')
            ) AS o""";

    private static Guards guards(Hospital hospital) {
        return Guards.over(hospital.database().dataSource());
    }

    /** Two are wanted instead of one. */
    private static Guard stricter() {
        Invariant old = Hospital.COVERAGE;
        return TriggerGuard.of(
                new Invariant(
                        old.name(),
                        old.says(),
                        old.scope(),
                        old.where(),
                        new Rule.AtLeast(2, rows("on_call", "shift_id", ""))),
                DEFAULTS);
    }

    @Test
    void secondInstallationOfTheSameSaysSo() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            assertThat(guards(hospital).install(COVERAGE, HOW)).isEqualTo(Outcome.INSTALLED);
            assertThat(guards(hospital).install(COVERAGE, HOW)).isEqualTo(Outcome.ALREADY_INSTALLED);
            assertThat(hospital.session().sqlState("DELETE FROM on_call")).isEqualTo("23514");
        }
    }

    @Test
    void violatingScopesAreListedAndNothingInstalled() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            hospital.session().run("INSERT INTO shift SELECT g, true FROM generate_series(100, 219) AS g");

            ExistingViolationsException thrown = catchThrowableOfType(
                    ExistingViolationsException.class, () -> guards(hospital).install(COVERAGE, HOW));

            assertThat(thrown.rows()).hasSize(100).startsWith("{\"id\":100,\"count\":0,\"at_least\":1}");
            assertThat(thrown).hasMessageEndingWith("\n  and more");
            assertThat(hospital.session().value(OBJECTS)).isEqualTo("0");
        }
    }

    @Test
    void otherDefinitionIsReplacedOnlyOnRequest() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            guards(hospital).install(COVERAGE, HOW);
            GuardDiffersException thrown = catchThrowableOfType(
                    GuardDiffersException.class, () -> guards(hospital).install(stricter(), HOW));
            assertThat(thrown.findings()).extracting(Finding::kind).containsExactly(Kind.OTHER_DEFINITION);
            hospital.session().run("DELETE FROM on_call WHERE shift_id = 2 AND doctor = 'A'");

            assertThat(catchThrowable(() -> guards(hospital).install(stricter(), HOW.withReplace(true))))
                    .isInstanceOf(ExistingViolationsException.class);
            assertThat(guards(hospital).verify(COVERAGE)).isEmpty();

            hospital.session().run("INSERT INTO on_call VALUES (2, 'C')");
            assertThat(guards(hospital).install(stricter(), HOW.withReplace(true)))
                    .isEqualTo(Outcome.REPLACED);
            assertThat(guards(hospital).verify(stricter())).isEmpty();
            assertThat(hospital.session().sqlState("DELETE FROM on_call WHERE doctor = 'C'"))
                    .isEqualTo("23514");
        }
    }

    /** What the old definition watched and the new one does not is left without triggers and functions. */
    @Test
    void replacementLeavesNothingOfTheOldDefinition() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            hospital.session().run("CREATE TABLE rota (LIKE on_call); INSERT INTO rota SELECT * FROM on_call");
            Invariant old = Hospital.COVERAGE;
            Guard elsewhere = TriggerGuard.of(
                    new Invariant(
                            old.name(),
                            "",
                            old.scope(),
                            old.where(),
                            new Rule.AtLeast(1, rows("rota", "shift_id", ""))),
                    DEFAULTS);
            guards(hospital).install(elsewhere, HOW);
            String objects = hospital.session().value(OBJECTS);
            guards(hospital).install(COVERAGE, HOW.withReplace(true));

            assertThat(hospital.session().value(OBJECTS)).isEqualTo(objects);
            hospital.session().run("DELETE FROM rota");
            assertThat(guards(hospital).verify(COVERAGE)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TRIGGER cerrojo_on_call_coverage_delete ON on_call",
                "DROP FUNCTION cerrojo.touch_on_call_coverage",
                "DROP TRIGGER on_call_coverage ON cerrojo.guard",
                "DROP TABLE cerrojo.guard",
                "ALTER FUNCTION cerrojo.on_call_coverage_check() STABLE"
            })
    void replacementRepairsWhatDrifted(String drift) throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            hospital.session().run(drift);
            assertThat(catchThrowable(() -> guards(hospital).install(COVERAGE, HOW)))
                    .isInstanceOf(GuardDiffersException.class);

            guards(hospital).install(COVERAGE, HOW.withReplace(true));
            assertThat(guards(hospital).verify(COVERAGE)).isEmpty();
        }
    }

    /** A writer that waits for the replacement goes on under the new guard. */
    @Test
    void thereIsNoMomentWithoutAGuard() throws Exception {
        try (Hospital hospital = new Hospital().guarded();
                Session reader = hospital.newSession();
                Session writer = hospital.newSession()) {
            reader.run("BEGIN; SELECT * FROM shift");
            CompletableFuture<Outcome> replaced = CompletableFuture.supplyAsync(() -> {
                try {
                    return guards(hospital).install(stricter(), HOW.withReplace(true));
                } catch (SQLException failure) {
                    throw new IllegalStateException(failure);
                }
            });
            awaitInstaller(hospital);
            CompletableFuture<String> waiting = writer.start("DELETE FROM on_call WHERE shift_id = 1");
            reader.run("COMMIT");

            assertThat(replaced.get(20, TimeUnit.SECONDS)).isEqualTo(Outcome.REPLACED);
            assertThat(Session.await(waiting)).isEqualTo("23514");
        }
    }

    private static void awaitInstaller(Hospital hospital) throws SQLException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (hospital.session()
                .value("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'shift'::regclass")
                .equals("0")) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void waitForALockIsBounded() throws SQLException {
        try (Hospital hospital = new Hospital();
                Session writer = hospital.newSession()) {
            writer.run("BEGIN; UPDATE on_call SET active = active");

            assertThat(catchThrowable(
                            () -> guards(hospital).install(COVERAGE, HOW.withLockTimeout(Duration.ofMillis(50)))))
                    .isInstanceOf(TablesBusyException.class)
                    .hasMessageContaining("not free within PT0.05S");
            assertThat(hospital.session().value(OBJECTS)).isEqualTo("0");
        }
    }

    @Test
    void dryRunChangesNothing() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            assertThat(guards(hospital).install(COVERAGE, HOW.withDryRun(true))).isEqualTo(Outcome.INSTALLED);
            assertThat(hospital.session().value(OBJECTS)).isEqualTo("0");

            guards(hospital).install(COVERAGE, HOW);
            guards(hospital).drop(COVERAGE, HOW.withDryRun(true));
            assertThat(guards(hospital).verify(COVERAGE)).isEmpty();

            hospital.session().run("INSERT INTO shift VALUES (3, false) ON CONFLICT DO NOTHING");
            hospital.session().run("UPDATE shift SET active = false");
            hospital.session().run("SET session_replication_role = replica; UPDATE shift SET active = true");
            guards(hospital).drop(COVERAGE, HOW);
            assertThat(catchThrowable(() -> guards(hospital).install(COVERAGE, HOW.withDryRun(true))))
                    .isInstanceOf(ExistingViolationsException.class);
        }
    }

    @Test
    void dropLeavesOtherGuardsAlone() throws SQLException {
        Invariant few = dev.cerrojo.invariant.Invariants.scoped(
                "on_call", Hospital.COVERAGE.scope(), "", new Rule.AtMost(9, rows("on_call", "shift_id", "")));
        Guard other = TriggerGuard.of(few, DEFAULTS);
        try (Hospital hospital = new Hospital()) {
            guards(hospital).install(COVERAGE, HOW);
            guards(hospital).install(other, HOW);
            hospital.session().run("INSERT INTO on_call VALUES (1, 'C'); DELETE FROM on_call WHERE doctor = 'A'");
            guards(hospital).drop(other, HOW);

            assertThat(guards(hospital).verify(COVERAGE)).isEmpty();
            assertThat(hospital.session().rows("SELECT DISTINCT invariant FROM cerrojo.guard"))
                    .containsExactly("on_call_coverage");
            guards(hospital).install(other, HOW);
            guards(hospital).drop(COVERAGE, HOW);
            assertThat(guards(hospital).verify(other)).isEmpty();
        }
    }

    @Test
    void tablesThatCannotBeKeptAreNamed() throws SQLException {
        try (Hospital hospital = new Hospital()) {
            hospital.session().run("ALTER TABLE on_call ENABLE ROW LEVEL SECURITY");

            assertThat(catchThrowable(() -> guards(hospital).install(COVERAGE, HOW)))
                    .isInstanceOf(GuardNotPossibleException.class)
                    .hasMessageContaining("on_call, which has row-level security");
        }
    }

    /** An installation at REPEATABLE READ would validate with a snapshot from before the lock. */
    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void scriptIsRefusedAboveReadCommitted(String isolation) throws SQLException {
        try (Hospital hospital = new Hospital()) {
            hospital.session().run("BEGIN ISOLATION LEVEL " + isolation);

            assertThat(hospital.session().sqlState(COVERAGE.installSql())).isEqualTo("25001");
        }
    }

    @Test
    void severalInstallAtOnce() throws Exception {
        try (Hospital hospital = new Hospital()) {
            List<CompletableFuture<Outcome>> installers = java.util.stream.IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                        try {
                            return guards(hospital).install(COVERAGE, HOW.withLockTimeout(Duration.ofSeconds(20)));
                        } catch (SQLException failure) {
                            throw new IllegalStateException(failure);
                        }
                    }))
                    .toList();
            List<Outcome> outcomes = new java.util.ArrayList<>();
            for (CompletableFuture<Outcome> installer : installers) {
                outcomes.add(installer.get(30, TimeUnit.SECONDS));
            }

            assertThat(outcomes).containsOnlyOnce(Outcome.INSTALLED).contains(Outcome.ALREADY_INSTALLED);
        }
    }

    /** Pools may hand out connections with autocommit off. */
    @Test
    void connectionsAreGivenBackAsTheyWere() throws SQLException {
        Guard guard = TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults());
        try (Hospital hospital = new Hospital();
                Connection connection = hospital.database().connect()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            OneConnection one = new OneConnection(connection);
            Guards guards = Guards.over(one.dataSource());

            Schema.over(one.dataSource()).create();
            guards.install(guard, Installation.defaults());
            assertThat(guards.verify(guard)).isEmpty();
            guards.drop(guard, Installation.defaults());

            assertThat(one.isGivenBack()).isTrue();
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.isReadOnly()).isFalse();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    @Test
    void lockTimeoutMustBePositive() {
        assertThat(catchThrowable(() -> HOW.withLockTimeout(Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
    }

    @Test
    void constraintIsReplacedByOneOfOtherOptions() throws SQLException {
        Invariant unique = dev.cerrojo.invariant.Invariants.global(
                "one", new Rule.Unique("on_call", List.of("shift_id", "doctor"), Optional.empty()));
        try (Hospital hospital = new Hospital()) {
            Guard atOnce = Guard.of(unique, DEFAULTS);
            Guard deferred = Guard.of(unique, DEFAULTS.withDeferred(true));
            guards(hospital).install(atOnce, HOW);
            guards(hospital).install(deferred, HOW.withReplace(true));
            assertThat(guards(hospital).verify(deferred)).isEmpty();
            guards(hospital).install(atOnce, HOW.withReplace(true));
            assertThat(guards(hospital).verify(atOnce)).isEmpty();
            guards(hospital).drop(deferred, HOW);
            assertThat(hospital.session().rows("SELECT relname FROM pg_class WHERE relname = 'one'"))
                    .isEmpty();
        }
    }
}
