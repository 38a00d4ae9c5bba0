package dev.cerrojo.ownership;

import dev.cerrojo.Actor;

/** Whose a field is. */
public enum FieldOwner {
    /** Only editors write it. */
    EDITOR("editors"),
    /** Only the system writes it. */
    SYSTEM("the system"),
    /** Both write it, and what they write is merged. */
    SHARED("editors and the system");

    private final String inWords;

    FieldOwner(String inWords) {
        this.inWords = inWords;
    }

    /** {@return the owner of what only this actor writes} */
    static FieldOwner of(Actor actor) {
        return actor == Actor.EDITOR ? EDITOR : SYSTEM;
    }

    /** {@return the one whom it does not let write, of the two} */
    static Actor other(Actor actor) {
        return actor == Actor.EDITOR ? Actor.SYSTEM : Actor.EDITOR;
    }

    /** {@return whether this actor may write it} */
    boolean lets(Actor actor) {
        return this == SHARED || this == of(actor);
    }

    /** {@return the owner as messages name it} */
    String inWords() {
        return inWords;
    }
}
