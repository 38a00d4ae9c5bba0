package dev.cerrojo.explorer.search;

import java.util.Optional;

/** Some schedules, by chance. The victims of deadlocks are PostgreSQL's choice. */
final class RandomFrontier extends Frontier {
    private final Sample sample;
    private long begun;

    /** How long schedules are: as the first one was, so that the same seed repeats all others. */
    private int length;

    RandomFrontier(Sample sample) {
        this.sample = sample;
    }

    /** One after another, so that a large number takes no room. */
    private void more() {
        if (++begun < sample.schedules()) {
            add(null, 0, 0, 0, null);
        }
    }

    @Override
    long waiting() {
        return sample.schedules() - begun;
    }

    @Override
    PathChooser chooser(Item item) {
        if (length > 0) {
            more();
        }
        return new RandomChooser(sample.seed(), item.number, length);
    }

    @Override
    boolean expand(Item item, PathChooser chooser, Execution execution) {
        if (length == 0) {
            length = Math.max(1, execution.trace().points().size());
            more();
        }
        return true;
    }

    @Override
    Optional<String> incompleteness() {
        return Optional.of(
                sample.schedules() + " schedules were run by chance (seed " + sample.seed() + "), not all of them");
    }
}
