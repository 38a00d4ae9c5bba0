package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.invariant.Invariant;
import java.util.List;

/** Ways in which two sessions of raw SQL change what an invariant is about. */
enum Change {
    BULK_UPDATE(
            "bulk UPDATE of all scopes, in opposite orders of rows",
            sql("UPDATE on_call SET active = false WHERE doctor = 'A'"),
            sql("UPDATE on_call SET active = false WHERE doctor = 'B'")),
    BULK_DELETE(
            "bulk DELETE in all scopes, in opposite orders of rows",
            sql("DELETE FROM on_call WHERE doctor = 'A'"),
            sql("DELETE FROM on_call WHERE doctor = 'B'")),
    MERGE(
            "MERGE that updates and MERGE that deletes",
            sql("MERGE INTO on_call AS o USING (VALUES (1, 'A')) AS v (shift, who)"
                    + " ON o.shift_id = v.shift AND o.doctor = v.who WHEN MATCHED THEN UPDATE SET active = false"),
            sql("MERGE INTO on_call AS o USING (VALUES (1, 'B')) AS v (shift, who)"
                    + " ON o.shift_id = v.shift AND o.doctor = v.who WHEN MATCHED THEN DELETE")),
    ON_CONFLICT(
            "INSERT ON CONFLICT DO UPDATE",
            sql("INSERT INTO on_call VALUES (1, 'A', false) ON CONFLICT (shift_id, doctor)"
                    + " DO UPDATE SET active = EXCLUDED.active"),
            sql("INSERT INTO on_call VALUES (1, 'B', false) ON CONFLICT (shift_id, doctor)"
                    + " DO UPDATE SET active = EXCLUDED.active")),
    INSERT_SELECT(
            "INSERT … SELECT, at most three",
            Hospital.atMostThree(),
            List.of(),
            sql("INSERT INTO on_call SELECT id, 'C' FROM shift"),
            sql("INSERT INTO on_call SELECT id, 'D' FROM shift")),
    CASCADED_DELETE(
            "ON DELETE CASCADE",
            Hospital.COVERAGE,
            List.of("CREATE TABLE person AS SELECT DISTINCT doctor AS name FROM on_call;"
                    + "ALTER TABLE person ADD PRIMARY KEY (name);"
                    + "ALTER TABLE on_call ADD FOREIGN KEY (doctor) REFERENCES person ON DELETE CASCADE"),
            sql("DELETE FROM person WHERE name = 'A'"),
            sql("DELETE FROM person WHERE name = 'B'")),
    SET_NULL(
            "ON DELETE SET NULL",
            Hospital.coverageBy("active AND contract IS NOT NULL"),
            List.of("CREATE TABLE contract (name text PRIMARY KEY); INSERT INTO contract VALUES ('A'), ('B');"
                    + "ALTER TABLE on_call ADD contract text REFERENCES contract ON DELETE SET NULL;"
                    + "UPDATE on_call SET contract = doctor"),
            sql("DELETE FROM contract WHERE name = 'A'"),
            sql("DELETE FROM contract WHERE name = 'B'")),
    PARTITIONS(
            "a partitioned table, by its parent and by a partition",
            Hospital.COVERAGE,
            List.of("""
                    DROP TABLE on_call;
                    CREATE TABLE on_call (shift_id int REFERENCES shift, doctor text, active boolean DEFAULT true,
                      PRIMARY KEY (shift_id, doctor)) PARTITION BY LIST (doctor);
                    CREATE TABLE on_call_a PARTITION OF on_call FOR VALUES IN ('A');
                    CREATE TABLE on_call_others PARTITION OF on_call DEFAULT;
                    INSERT INTO on_call VALUES (1, 'A'), (2, 'A'), (2, 'B'), (1, 'B'), (3, 'A')"""),
            sql("UPDATE on_call SET active = false WHERE shift_id = 1 AND doctor = 'A'"),
            sql("UPDATE on_call_others SET active = false WHERE shift_id = 1 AND doctor = 'B'")),
    PARTITION_CHANGES(
            "a row moves to another partition and scope",
            Hospital.COVERAGE,
            List.of("""
                    DROP TABLE on_call;
                    CREATE TABLE on_call (shift_id int REFERENCES shift, doctor text, active boolean DEFAULT true,
                      PRIMARY KEY (shift_id, doctor)) PARTITION BY LIST (shift_id);
                    CREATE TABLE on_call_1 PARTITION OF on_call FOR VALUES IN (1);
                    CREATE TABLE on_call_others PARTITION OF on_call DEFAULT;
                    INSERT INTO on_call VALUES (1, 'A'), (2, 'A'), (2, 'B'), (1, 'B'), (3, 'A')"""),
            sql("UPDATE on_call SET shift_id = 3 WHERE shift_id = 1 AND doctor = 'B'"),
            sql("DELETE FROM on_call_1 WHERE doctor = 'A'")),
    ROW_MOVES(
            "a row moves to another scope",
            sql("UPDATE on_call SET shift_id = 3 WHERE shift_id = 1 AND doctor = 'B'"),
            sql(Sessions.leave(1, "A"))),
    SCOPE_APPLIES(
            "a scope begins to apply, and its last row is removed",
            sql("UPDATE shift SET active = true WHERE id = 3"),
            sql("DELETE FROM on_call WHERE shift_id = 3")),
    SCOPE_INSERTED(
            "a scope row is inserted, and its last row is removed",
            Hospital.COVERAGE,
            Change.withoutForeignKey(),
            sql("INSERT INTO shift VALUES (4, true)"),
            sql("DELETE FROM on_call WHERE shift_id = 4")),
    SCOPE_KEY_CHANGES(
            "a scope row's key changes, and the last row of the new key is removed",
            Hospital.COVERAGE,
            Change.withoutForeignKey(),
            sql("UPDATE shift SET id = 4 WHERE id = 2"),
            sql("DELETE FROM on_call WHERE shift_id = 4")),
    SAVEPOINT_ROLLED_BACK(
            "a savepoint is rolled back after the touch",
            sql("SAVEPOINT s", Sessions.leave(1, "A"), "ROLLBACK TO s", Sessions.leave(1, "A")),
            sql(Sessions.leave(1, "B"))),
    REFUSAL_ROLLED_BACK(
            "a savepoint is rolled back after a refused write",
            sql(
                    "SAVEPOINT s",
                    "?UPDATE on_call SET active = false WHERE shift_id = 2",
                    "ROLLBACK TO s",
                    Sessions.leave(1, "A")),
            sql(Sessions.leave(1, "B")));

    private final String words;
    private final Invariant invariant;
    private final List<String> setup;
    private final String[] one;
    private final String[] other;

    Change(String words, String[] one, String[] other) {
        this(words, Hospital.COVERAGE, List.of(), one, other);
    }

    Change(String words, Invariant invariant, List<String> setup, String[] one, String[] other) {
        this.words = words;
        this.invariant = invariant;
        this.setup = setup;
        this.one = one;
        this.other = other;
    }

    private static String[] sql(String... statements) {
        return statements;
    }

    private static List<String> withoutForeignKey() {
        return List.of(
                "ALTER TABLE on_call DROP CONSTRAINT on_call_shift_id_fkey; INSERT INTO on_call VALUES (4, 'A')");
    }

    Invariant invariant() {
        return invariant;
    }

    /** {@return what the hospital has besides} */
    List<String> setup() {
        return setup;
    }

    String[] one() {
        return one.clone();
    }

    String[] other() {
        return other.clone();
    }

    @Override
    public String toString() {
        return words;
    }
}
