package dev.cerrojo.explorer;

/** Two doctors who leave a shift at once, as parts of a scenario file. */
public final class OnCall {
    public static final String SETUP = """
            setup: |
              CREATE TABLE shift (id int PRIMARY KEY);
              CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL, active boolean NOT NULL,
                                    PRIMARY KEY (shift_id, doctor));
              INSERT INTO shift VALUES (1);
              INSERT INTO on_call VALUES (1, 'A', true), (1, 'B', true);
            """;

    public static final String LEAVE = """
            transactions:
              leave:
                params: [shift, doctor]
                scope: shift
                steps:
                  - read: SELECT count(*) AS others FROM on_call WHERE shift_id = :shift AND doctor <> :doctor AND active
                  - check: SELECT :others > 0
                    else: last-doctor
                  - write: UPDATE on_call SET active = false WHERE shift_id = :shift AND doctor = :doctor
            run:
              - leave(shift=1, doctor='A')
              - leave(shift=1, doctor='B')
            """;

    public static final String INVARIANT = """
            invariant:
              name: covered
              scope: shift(id)
              at_least: 1
              of: on_call(shift_id) where active
            """;

    public static final String SCOPE_ROWS = "scope_rows: INSERT INTO shift VALUES (:scope);"
            + " INSERT INTO on_call VALUES (:scope, 'A', true), (:scope, 'B', true)\n";

    private OnCall() {}
}
