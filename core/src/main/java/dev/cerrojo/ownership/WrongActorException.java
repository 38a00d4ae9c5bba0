package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A field was to be written by an actor whose it is not. Nothing was sent to the database. */
public final class WrongActorException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String table;
    private final String field;
    private final FieldOwner owner;
    private final Actor actor;

    WrongActorException(String table, String field, FieldOwner owner, Actor actor) {
        super(
                "field %s of %s belongs to %s, but was to be written by %s: leave it out, or write it as %s; if both write it, declare it as shared, with a merge"
                        .formatted(
                                field,
                                table,
                                owner.inWords(),
                                FieldOwner.of(actor).inWords(),
                                FieldOwner.other(actor)));
        this.table = table;
        this.field = field;
        this.owner = owner;
        this.actor = actor;
    }

    /** {@return the table, as SQL text} */
    public String table() {
        return table;
    }

    /** {@return the field} */
    public String field() {
        return field;
    }

    /** {@return whose it is} */
    public FieldOwner owner() {
        return owner;
    }

    /** {@return who was to write it} */
    public Actor actor() {
        return actor;
    }
}
