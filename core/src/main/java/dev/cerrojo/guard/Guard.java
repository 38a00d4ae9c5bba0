package dev.cerrojo.guard;

import dev.cerrojo.invariant.Invariant;
import java.util.List;

/**
 * An invariant that the database itself enforces, whoever writes: as SQL to install and to drop.
 *
 * <pre>{@code
 * Guard guard = Guard.of(coverage, GuardOptions.defaults());
 * Files.writeString(Path.of("V7__guard_on_call_coverage.sql"), guard.installSql());
 * }</pre>
 *
 * <p>Installing first locks the tables ({@code SHARE ROW EXCLUSIVE}: writers wait, readers do not) and refuses with
 * SQLSTATE 23514 when the invariant does not hold yet; the detail lists violating rows. Run it in one transaction, or
 * rows written between that check and the last statement go unseen.
 */
public sealed interface Guard permits TriggerGuard, NativeConstraint {
    /**
     * {@return the guard to prefer: a constraint of PostgreSQL's own where the rule is one, else triggers}
     *
     * @throws GuardNotPossibleException when there is neither
     */
    static Guard of(Invariant invariant, GuardOptions options) {
        return NativeConstraint.isPossible(invariant)
                ? NativeConstraint.of(invariant, options)
                : TriggerGuard.of(invariant, options);
    }

    /** {@return what it enforces; the name of the constraint in the errors it raises is the invariant's name} */
    Invariant invariant();

    /** {@return the statements that install it, in order, each without a semicolon at its end} */
    List<String> installStatements();

    /** {@return the statements that drop it and all it stored, in order; no error when it is not there} */
    List<String> dropStatements();

    /** {@return the statements that install it as one script, fit for a migration} */
    default String installSql() {
        return Scripts.script(
                "Guard of invariant " + invariant().name(), invariant(), Scripts.notes(this), installStatements());
    }

    /** {@return the statements that drop it as one script} */
    default String dropSql() {
        return Scripts.script(
                "Drops the guard of invariant " + invariant().name(), invariant(), List.of(), dropStatements());
    }
}
