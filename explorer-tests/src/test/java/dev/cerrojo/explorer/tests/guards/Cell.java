package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.tx.Isolation;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One combination of the matrix: two writers at one level.
 *
 * @param point what the guarded ones take first; none where all writers send raw SQL
 */
record Cell(Arrangement arrangement, Optional<Point> point, Isolation level) {
    /** What can come out. */
    enum Answer {
        /** The library does not begin the work. */
        REFUSED,
        HOLDS,
        VIOLATED
    }

    static Stream<Cell> all() {
        return Arrays.stream(Arrangement.values()).flatMap(Cell::of);
    }

    private static Stream<Cell> of(Arrangement arrangement) {
        Stream<Optional<Point>> points = arrangement.guarded() == 0
                ? Stream.of(Optional.empty())
                : Arrays.stream(Point.values()).map(Optional::of);
        return points.flatMap(
                point -> Arrays.stream(Isolation.values()).map(level -> new Cell(arrangement, point, level)));
    }

    /** The rule. A point that does not hold is refused; the trigger guard holds; so do points that everybody takes. */
    Answer expected() {
        if (!point.map(it -> it.of(Hospital.COVERAGE).holdsAt(level)).orElse(true)) {
            return Answer.REFUSED;
        }
        boolean everybodyIsOrdered =
                arrangement.hasTrigger() || arrangement.guarded() == 2 || level == Isolation.SERIALIZABLE;
        return everybodyIsOrdered ? Answer.HOLDS : Answer.VIOLATED;
    }

    /** {@return what the second of two writers is answered at READ COMMITTED, as if the first had come long before} */
    String refusal(int writer) {
        return writer < arrangement.guarded() || !arrangement.hasTrigger() ? Trial.REFUSED : Trial.REFUSED_BY_TRIGGER;
    }

    /** {@return it without its level} */
    String row() {
        return arrangement + point.map(it -> ", " + it).orElse("");
    }

    @Override
    public String toString() {
        return row() + ", " + level.sql();
    }
}
