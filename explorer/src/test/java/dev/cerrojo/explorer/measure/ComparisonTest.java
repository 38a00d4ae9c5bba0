package dev.cerrojo.explorer.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final Comparison SHORT = new Comparison(2, 3, Duration.ofMillis(5));

    /** Notes who ran, and whether it was closed. */
    private record Noting(String name, List<String> ran, AtomicInteger open) implements Contender {
        @Override
        public Client client(int number) {
            open.incrementAndGet();
            return new Client() {
                @Override
                public int transaction() {
                    ran.add(name);
                    return 2;
                }

                @Override
                public void close() {
                    open.decrementAndGet();
                }
            };
        }
    }

    @Test
    void contendersRunByTurnsAndAreClosed() throws Exception {
        List<String> ran = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger open = new AtomicInteger();

        List<Measured> measured = SHORT.of(List.of(new Noting("a", ran, open), new Noting("b", ran, open)));

        assertThat(turns(ran)).containsExactly("a", "b", "a", "b", "a", "b", "a", "b");
        assertThat(open).hasValue(0);
        assertThat(measured).extracting(Measured::name).containsExactly("a", "b");
        assertThat(measured.get(0).throughputRatio()).isEqualTo(new Spread(1, 1, 1));
        assertThat(measured.get(1).retriesPerTransaction().median()).isEqualTo(2);
        // All but the round that warmed up.
        assertThat(measured.stream().mapToLong(Measured::transactions).sum()).isLessThan(ran.size());
    }

    private static List<String> turns(List<String> ran) {
        List<String> turns = new ArrayList<>();
        for (String name : ran) {
            if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(name)) {
                turns.add(name);
            }
        }
        return turns;
    }

    /** Counts what runs between two preparations. */
    private static final class Bursts implements Contender {
        private final AtomicInteger running = new AtomicInteger();
        private final AtomicInteger mostAtOnce = new AtomicInteger();
        private final AtomicInteger prepared = new AtomicInteger();
        private final AtomicInteger sinceWarmUp = new AtomicInteger();

        @Override
        public String name() {
            return "bursts";
        }

        @Override
        public int prepare() {
            mostAtOnce.accumulateAndGet(running.getAndSet(0), Math::max);
            prepared.incrementAndGet();
            return 3;
        }

        @Override
        public void warmedUp() {
            sinceWarmUp.set(0);
        }

        @Override
        public Client client(int number) {
            return new Client() {
                @Override
                public int transaction() {
                    running.incrementAndGet();
                    sinceWarmUp.incrementAndGet();
                    return 0;
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void aContenderIsPreparedBeforeEachBurst() throws Exception {
        Bursts bursts = new Bursts();

        List<Measured> measured = SHORT.of(List.of(bursts));

        assertThat(bursts.prepared).hasValueGreaterThan(4);
        assertThat(bursts.mostAtOnce).hasValue(2 * 3);
        assertThat(measured.get(0).transactions()).isEqualTo(bursts.sinceWarmUp.get());
    }

    @Test
    void aClientThatFailsEndsTheComparison() {
        AtomicInteger open = new AtomicInteger();
        Contender failing = new Contender() {
            @Override
            public String name() {
                return "failing";
            }

            @Override
            public Client client(int number) {
                return new Client() {
                    @Override
                    public int transaction() {
                        throw new IllegalStateException("as it was");
                    }

                    @Override
                    public void close() {}
                };
            }
        };

        assertThatThrownBy(() -> SHORT.of(List.of(new Noting("a", new ArrayList<>(), open), failing)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("as it was");
        assertThat(open).hasValue(0);
    }

    @Test
    void spreadIsMedianAndQuartiles() {
        assertThat(Spread.of(List.of(5.0, 1.0, 3.0, 2.0, 4.0))).isEqualTo(new Spread(3, 2, 4));
        Spread even = Spread.of(List.of(1.0, 2.0));
        assertThat(even.median()).isCloseTo(1.5, within(1e-9));
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void latenciesAreOfTheShareThatStayedWithin() {
        long[] millis = new long[100];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = (100 - i) * 1_000_000L;
        }
        Round round = new Round(2, millis, 50);

        assertThat(round.millis(0.5)).isEqualTo(51);
        assertThat(round.millis(0.99)).isEqualTo(100);
        assertThat(round.perSecond()).isEqualTo(50);
        assertThat(round.retriesPerTransaction()).isEqualTo(0.5);
        assertThat(new Round(1, new long[0], 0).millis(0.99)).isZero();
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new Comparison(0, 1, Duration.ofSeconds(1))).hasMessageContaining("clients must be 1");
        assertThatThrownBy(() -> new Comparison(1, 0, Duration.ofSeconds(1))).hasMessageContaining("rounds must be 1");
        assertThatThrownBy(() -> new Comparison(1, 1, Duration.ZERO)).hasMessageContaining("longer than PT0S");
        assertThatThrownBy(() -> SHORT.of(List.of())).hasMessageContaining("names of their own");
    }
}
