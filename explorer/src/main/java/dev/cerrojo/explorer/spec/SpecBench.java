package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.search.AbortQuestion;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One database in which a specification's programs are explored, and where some of it is SERIALIZABLE, the same at REPEATABLE
 * READ. Used by one thread at a time.
 */
final class SpecBench implements AutoCloseable {
    private final Spec spec;
    private final StartState state;
    private final SpecArena arena;
    private @Nullable SpecArena atRepeatableRead;

    private SpecBench(StartState state, Spec spec) {
        this.spec = spec;
        this.state = state;
        this.arena = new SpecArena(state, spec);
    }

    /**
     * Makes the database, and runs the setups in it.
     *
     * @throws dev.cerrojo.explorer.database.ScenarioSqlException if PostgreSQL does not take a setup
     */
    static SpecBench make(Server server, Spec spec) throws SQLException {
        return new SpecBench(StartState.make(server, spec), spec);
    }

    /** {@return a program, of whose aborts it is asked whether they were needed} */
    SpecSubject subject(SpecProgram program) {
        Optional<Supplier<Subject>> same =
                spec.isSerializable() ? Optional.of(() -> atRepeatableRead(program)) : Optional.empty();
        return new SpecSubject(arena, program, new AbortQuestion(same));
    }

    /** {@return a program, of whose aborts nothing is asked} */
    SpecSubject plainSubject(SpecProgram program) {
        return new SpecSubject(arena, program, new AbortQuestion(Optional.empty()));
    }

    private Subject atRepeatableRead(SpecProgram program) {
        SpecArena known = atRepeatableRead;
        if (known == null) {
            known = new SpecArena(state, spec.withIsolation(Isolation.REPEATABLE_READ));
            atRepeatableRead = known;
        }
        return new SpecSubject(known, program.isolated(Isolation.REPEATABLE_READ), new AbortQuestion(Optional.empty()));
    }

    @Override
    public void close() throws SQLException {
        arena.close();
        if (atRepeatableRead != null) {
            atRepeatableRead.close();
        }
        state.close();
    }
}
