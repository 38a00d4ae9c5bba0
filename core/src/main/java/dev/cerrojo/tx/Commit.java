package dev.cerrojo.tx;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The COMMIT of an attempt, ready to be sent. */
interface Commit extends AutoCloseable {
    /** PostgreSQL's failures that may come after the transaction has been made durable. */
    Set<String> NOT_AN_ANSWER = Set.of("08", "57P", "58", "XX", "40003");

    void send() throws SQLException;

    /** {@return whether PostgreSQL has said that it does not commit} */
    boolean isRefused(Throwable failure);

    /** {@return whether it is committed, although sending it has thrown: what came after it has} */
    boolean isDone();

    @Override
    void close() throws SQLException;

    /** {@return whether there are SQLSTATEs, and all are such as PostgreSQL refuses a COMMIT with} */
    static boolean isAnswer(List<String> states) {
        return !states.isEmpty()
                && states.stream().noneMatch(state -> NOT_AN_ANSWER.stream().anyMatch(state::startsWith));
    }
}
