package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class LookoutTest {
    private static final int EMPTY_LOOKS = 3;

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private final Lookout lookout = new Lookout(looks::add, EMPTY_LOOKS);
    private final List<String> rung = new ArrayList<>();

    /** Due at every look, or at none. */
    private record Bell(String name, boolean isNow, List<String> rung) implements Lookout.Due {
        @Override
        public boolean isDue(long now) {
            return isNow;
        }

        @Override
        public void ring() {
            rung.add(name);
        }
    }

    @Test
    void ringsWhatIsDueOnce() {
        lookout.add(new Bell("now", true, rung));
        lookout.add(new Bell("later", false, rung));

        look();
        look();

        assertThat(rung).containsExactly("now");
    }

    @Test
    void doesNotRingWhatWasRemoved() {
        Bell bell = new Bell("now", true, rung);
        lookout.add(bell);
        lookout.remove(bell);

        look();

        assertThat(rung).isEmpty();
    }

    @Test
    void oneLooksForAllOfThem() {
        lookout.add(new Bell("a", false, rung));
        lookout.add(new Bell("b", false, rung));

        assertThat(looks).hasSize(1);
    }

    @Test
    void looksOnWhileThereAreAny() {
        lookout.add(new Bell("later", false, rung));

        for (int i = 0; i < 5 * EMPTY_LOOKS; i++) {
            look();
        }

        assertThat(looks).hasSize(1);
    }

    @Test
    void restsWhenThereWereNoneForSomeLooksAndTheNextWakesIt() {
        lookout.add(new Bell("first", true, rung));
        for (int i = 0; i < EMPTY_LOOKS; i++) {
            look();
        }
        assertThat(looks).isEmpty();

        lookout.add(new Bell("second", true, rung));

        assertThat(looks).hasSize(1);
        look();
        assertThat(rung).containsExactly("first", "second");
    }

    private void look() {
        looks.remove().run();
    }
}
