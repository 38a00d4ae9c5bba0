package dev.cerrojo.explorer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.search.Bounds;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Bounds HOUR = new Bounds(7, Duration.ofHours(1));

    @Test
    void eachGetsAnEqualPartOfWhatIsLeft() {
        Patience patience = new Patience(HOUR, 4, 1);

        assertThat(patience.next().timeout()).isBetween(Duration.ofMinutes(14), Duration.ofMinutes(15));
        assertThat(patience.next().timeout()).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(20));
    }

    @Test
    void thoseThatGoOnAtOnceShareNoTime() {
        Patience patience = new Patience(HOUR, 4, 2);

        assertThat(patience.next().timeout()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
    }

    @Test
    void theLastOneGetsAllAndNoneGetsMore() {
        Patience patience = new Patience(HOUR, 1, 4);

        assertThat(patience.next().timeout()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        assertThat(patience.next().timeout()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    void whenNoTimeIsLeftOneIsStillBoundedAndSchedulesAreKept() {
        Bounds part = new Patience(new Bounds(7, Duration.ofNanos(1)), 1_000_000, 1).next();

        assertThat(part.timeout()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(1));
        assertThat(part.maxSchedules()).isEqualTo(7);
    }
}
