package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.StepResult;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Computes checks over variables only, on a connection apart from the sessions; each question is asked once. */
final class Calculator implements AutoCloseable {
    private final String url;
    private @Nullable SessionConnection connection;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Question, Answer> known = new ConcurrentHashMap<>();

    /**
     * Makes a calculator; it connects when it is first asked.
     *
     * @param url the database
     */
    Calculator(String url) {
        this.url = url;
    }

    /**
     * What a check said.
     *
     * @param isTrue whether it was true, and neither false nor NULL
     * @param failure why it could not be computed, if it could not
     */
    record Answer(boolean isTrue, Optional<StepResult.Failure> failure) {}

    private record Question(CompiledStatement statement, Map<String, Datum> variables) {}

    Answer isTrue(CompiledStatement check, Map<String, Datum> variables) {
        Map<String, Datum> used = new HashMap<>();
        check.sql().variables().forEach(name -> used.put(name, variables.get(name)));
        Question question = new Question(check, used);
        Answer answer = known.get(question);
        if (answer == null) {
            answer = ask(question);
            known.put(question, answer);
        }
        return answer;
    }

    private Answer ask(Question question) {
        lock.lock();
        try {
            return compute(question);
        } finally {
            lock.unlock();
        }
    }

    private Answer compute(Question question) {
        Map<String, Datum> scratch = new HashMap<>(question.variables());
        SessionConnection asked = connection();
        StepResult result = asked.execute(question.statement(), false, scratch, OptionalInt.empty(), null);
        asked.rollback();
        String value = result.values().values().stream().findFirst().orElse(null);
        return new Answer("t".equals(value) || "true".equals(value), result.error());
    }

    private SessionConnection connection() {
        try {
            SessionConnection open = connection == null ? new SessionConnection(url) : connection;
            connection = open;
            return open;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
    }
}
