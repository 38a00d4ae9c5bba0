package dev.cerrojo.internal;

import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How the database says that it refused a transaction because of an invariant, whose name is the constraint's.
 *
 * @param name the invariant's name
 * @param says the invariant in words; may be empty
 */
public record GuardRefusal(String name, String says) {
    private static final String CHECK_VIOLATION = "23514";
    /** unique_violation and exclusion_violation: of the invariants that are constraints of PostgreSQL's own. */
    private static final Set<String> NATIVE = Set.of("23505", "23P01");

    /** {@return the primary message, in words of the domain} */
    public String message() {
        return says.isBlank() ? "invariant " + name + " is violated" : says.strip();
    }

    /** {@return the hint of a trigger guard} */
    public String hint() {
        return "Refused by the guard of invariant %s: the data may have changed since it was read; read it again"
                        .formatted(name)
                + " and decide anew.";
    }

    /** {@return whether a failure, or what caused it, is this refusal} */
    public boolean caused(Throwable failure) {
        return SqlFailures.chain(failure).stream().anyMatch(cause -> cause instanceof SQLException sql && isThis(sql));
    }

    /** PostgreSQL translates its own words, but neither names nor what a trigger says. */
    private boolean isThis(SQLException failure) {
        String text = String.valueOf(failure.getMessage());
        String state = String.valueOf(failure.getSQLState());
        boolean named = text.contains('"' + name + '"');
        return state.equals(CHECK_VIOLATION)
                ? named || text.contains(hint()) || isMessage(text)
                : NATIVE.contains(state) && named;
    }

    /** All of what the driver says when it is told to leave hints out: other constraints may have the same words in theirs. */
    private boolean isMessage(String text) {
        return Pattern.compile("(?:\\S+: )?" + Pattern.quote(message()) + "(?: \\(.* = |\\R|$)")
                .matcher(text)
                .lookingAt();
    }
}
