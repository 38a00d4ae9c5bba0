package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlTemplate;
import java.util.Objects;
import java.util.Optional;

/** One entry of a transaction's {@code steps}. */
public sealed interface Step {
    /** {@return where it stands in the file} */
    Position at();

    /** A statement that binds the columns of its first row (NULL when there is none) as variables. */
    record Read(SqlTemplate sql, boolean autonomous, Position at) implements Statement {
        /** Checks that nothing is missing. */
        public Read {
            Objects.requireNonNull(sql);
            Objects.requireNonNull(at);
        }
    }

    /** Any other statement. Binds {@code rowcount}, and the columns of its RETURNING. */
    record Write(SqlTemplate sql, boolean autonomous, Position at) implements Statement {
        /** Checks that nothing is missing. */
        public Write {
            Objects.requireNonNull(sql);
            Objects.requireNonNull(at);
        }
    }

    /**
     * A statement that yields one boolean; false, NULL or no row ends the session as refused.
     *
     * @param refusal the name in {@code else}, if any
     */
    record Check(SqlTemplate sql, Optional<String> refusal, boolean autonomous, Position at) implements Statement {
        /** Checks that nothing is missing. */
        public Check {
            Objects.requireNonNull(sql);
            Objects.requireNonNull(refusal);
            Objects.requireNonNull(at);
        }

        /** {@return the name the session is refused with} */
        public String refusalName() {
            return refusal.orElse("refused");
        }
    }

    /** Ends the transaction; the next step begins another. */
    record Commit(Position at) implements Step {}

    /** A step that runs SQL. */
    sealed interface Statement extends Step permits Read, Write, Check {
        /** {@return its SQL} */
        SqlTemplate sql();

        /** {@return whether it runs and commits on a connection of its own} */
        boolean autonomous();
    }
}
