package dev.cerrojo.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.tx.Isolation;
import org.junit.jupiter.api.Test;

class SerializationPointTest {
    private static final Invariant COVERAGE = Invariants.onCallCoverage();
    private static final Invariant MANAGER =
            Invariants.global("last_manager", new Rule.AtLeast(1, Invariants.rows("app_user", "", "")));

    @Test
    void touchUpdatesTheGuardRow() {
        assertThat(SerializationPoint.touch(COVERAGE).sql(":shift")).isEqualTo("""
                        INSERT INTO cerrojo.guard AS g (invariant, scope)
                        VALUES ('on_call_coverage', (:shift)::text)
                        ON CONFLICT (invariant, scope) DO UPDATE SET touched = g.touched + 1""");
        assertThat(SerializationPoint.touch(MANAGER, "Own").sql(":ignored"))
                .contains("INTO \"Own\".guard")
                .contains("VALUES ('last_manager', 'global')");
    }

    @Test
    void scopeRowIsLocked() {
        assertThat(SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_NO_KEY_UPDATE)
                        .sql("?"))
                .isEqualTo("SELECT 1 FROM shift WHERE id = ? FOR NO KEY UPDATE");
        assertThatThrownBy(() -> SerializationPoint.lockScopeRow(MANAGER, SerializationPoint.RowLock.FOR_UPDATE))
                .isInstanceOf(InvalidInvariantException.class)
                .hasMessageContaining("invariant last_manager has global scope")
                .hasMessageContaining("use touch or advisory");
    }

    @Test
    void derivedKeysNeverChange() {
        // Services of different versions must take the same lock: these numbers are part of the contract.
        assertThat(SerializationPoint.advisory(COVERAGE).key("1")).isEqualTo(ON_CALL_1);
        assertThat(SerializationPoint.advisory(MANAGER).key("global")).isEqualTo(MANAGER_GLOBAL);
    }

    private static final long ON_CALL_1 = -2022205429913607148L;
    private static final long MANAGER_GLOBAL = -9212008495071885800L;

    @Test
    void exactKeysAreTakenAsTheyAre() {
        assertThat(SerializationPoint.advisory(MANAGER, 74920, "0").sql("?"))
                .isEqualTo("SELECT pg_advisory_xact_lock((74920)::int, 0)");
        assertThat(SerializationPoint.advisory(COVERAGE, -74921, "hashtext(:scope)")
                        .sql(":shift"))
                .isEqualTo("SELECT pg_advisory_xact_lock((-74921)::int, hashtext((:shift)::text))");
        assertThatThrownBy(() -> SerializationPoint.advisory(COVERAGE, 1, "0); DROP TABLE x"))
                .isInstanceOf(InvalidInvariantException.class);
    }

    @Test
    void onlyAWriteHoldsAboveReadCommitted() {
        SerializationPoint row = SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_UPDATE);
        for (Isolation isolation : Isolation.values()) {
            boolean readCommitted = isolation == Isolation.READ_COMMITTED;
            assertThat(SerializationPoint.touch(COVERAGE).holdsAt(isolation)).isTrue();
            assertThat(row.holdsAt(isolation)).isEqualTo(readCommitted);
            assertThat(SerializationPoint.advisory(COVERAGE).holdsAt(isolation)).isEqualTo(readCommitted);
            assertThat(SerializationPoint.advisory(COVERAGE, 1, "0").holdsAt(isolation))
                    .isEqualTo(readCommitted);
            assertThat(SerializationPoint.serializable(COVERAGE).holdsAt(isolation))
                    .isEqualTo(isolation == Isolation.SERIALIZABLE);
        }
    }
}
