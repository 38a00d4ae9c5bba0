package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.invariant.SerializationPoint.RowLock;
import java.util.function.Function;

/** The serialization points, as they are declared. */
enum Point {
    TOUCH("touch", SerializationPoint::touch),
    ROW_NO_KEY("row FOR NO KEY UPDATE", it -> SerializationPoint.lockScopeRow(it, RowLock.FOR_NO_KEY_UPDATE)),
    ROW("row FOR UPDATE", it -> SerializationPoint.lockScopeRow(it, RowLock.FOR_UPDATE)),
    ADVISORY("advisory, derived key", SerializationPoint::advisory),
    PAIR("advisory, 74921 and hashtext", it -> SerializationPoint.advisory(it, 74921, "hashtext(:scope)")),
    SERIALIZABLE("serializable", SerializationPoint::serializable);

    private final String words;
    private final Function<Invariant, SerializationPoint> made;

    Point(String words, Function<Invariant, SerializationPoint> made) {
        this.words = words;
        this.made = made;
    }

    SerializationPoint of(Invariant invariant) {
        return made.apply(invariant);
    }

    @Override
    public String toString() {
        return words;
    }
}
