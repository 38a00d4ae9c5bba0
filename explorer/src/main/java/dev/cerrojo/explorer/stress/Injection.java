package dev.cerrojo.explorer.stress;

/** What befalls the operations of a group. */
enum Injection {
    /** Nothing. */
    NONE,
    /** Two of them take the locks of two tables in opposite order, in their first attempt. */
    LOCK_ORDER,
    /** One of them fails with 40001 when all is done but COMMIT, twice. */
    FAILURE,
    /** Each of them does so in every attempt: otherwise the end of another could decide that of the first. */
    EXHAUSTION;

    private static final int FAILURES = 2;
    private static final Injection[] TURNS = {NONE, LOCK_ORDER, FAILURE, NONE, EXHAUSTION};

    /** {@return each in its turn, so that no scope is befallen by the same again and again} */
    static Injection of(int group, int scopes) {
        int shift = scopes % TURNS.length == 0 ? group / scopes : 0;
        return TURNS[(group + shift) % TURNS.length];
    }

    /** {@return whether the one that it befalls fails in an attempt, counted from 1} */
    boolean fails(int attempt) {
        return this == EXHAUSTION || (this == FAILURE && attempt <= FAILURES);
    }
}
