package dev.cerrojo.explorer.database;

/** What a run did to the pages of tables and indexes: at SERIALIZABLE conflicts are found by page too. */
public enum Pages {
    /** There are as many as in tables that were just written, of the start state's rows. */
    AS_FRESH,
    /** There are more, as there would be again: the run began with such tables. Before the next one they are made anew. */
    GROWN,
    /** There are more, perhaps only because of the dead rows of runs before: the run does not count. */
    MISLEADING
}
