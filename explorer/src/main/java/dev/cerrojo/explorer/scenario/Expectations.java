package dev.cerrojo.explorer.scenario;

import java.util.List;
import java.util.Optional;

/** Reads {@code expect}, which allows other words at the top of a file than in a repair. */
final class Expectations {
    private Expectations() {}

    static Optional<Expectation> ofFile(Field value) {
        return among(value, List.of(Expectation.VIOLATED, Expectation.HOLDS, Expectation.DEADLOCKS));
    }

    static Optional<Expectation> ofRepair(Field value) {
        return among(
                value,
                List.of(
                        Expectation.HOLDS,
                        Expectation.HOLDS_NO_DEADLOCK,
                        Expectation.DEADLOCKS,
                        Expectation.DOES_NOT_HOLD));
    }

    private static Optional<Expectation> among(Field value, List<Expectation> allowed) {
        Optional<String> word = value.text().map(String::strip);
        Optional<Expectation> found = word.flatMap(text -> allowed.stream()
                .filter(expectation -> expectation.word().equals(text))
                .findFirst());
        if (word.isPresent() && found.isEmpty()) {
            List<String> words = allowed.stream().map(Expectation::word).toList();
            value.problem("unknown expectation " + Field.quoted(word.get()) + Nearest.hint(word.get(), words));
        }
        return found;
    }
}
