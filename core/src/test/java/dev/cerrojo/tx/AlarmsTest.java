package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    private static final int EMPTY_LOOKS = 3;

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private final Alarms alarms = new Alarms(looks::add, EMPTY_LOOKS);
    private final CountDownLatch cancelled = new CountDownLatch(1);

    @Test
    void ofAllAlarmsThoseThatAreDueCancelWhatRuns() throws Exception {
        Alarm due = set(Duration.ofNanos(1));
        Alarm later = set(Duration.ofHours(1));
        CountDownLatch tooEarly = new CountDownLatch(1);
        later.watch(statement(tooEarly));
        due.watch(statement(cancelled));

        look();

        assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(tooEarly.getCount()).isEqualTo(1);
        due.close();
    }

    @Test
    void oneThatIsClosedDoesNotRing() throws Exception {
        Alarm alarm = set(Duration.ofNanos(1));
        alarm.watch(statement(cancelled));
        alarm.close();

        look();

        assertThat(cancelled.await(100, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void oneLooksAfterAllOfThem() {
        set(Duration.ofHours(1));
        set(Duration.ofHours(1));

        assertThat(looks).hasSize(1);
    }

    @Test
    void itLooksOnWhileThereAreAny() {
        set(Duration.ofHours(1));

        for (int i = 0; i < 5 * EMPTY_LOOKS; i++) {
            look();
        }

        assertThat(looks).hasSize(1);
    }

    @Test
    void itRestsWhenThereWereNoneForSomeLooksAndTheNextWakesIt() throws Exception {
        set(Duration.ofHours(1)).close();
        for (int i = 0; i < EMPTY_LOOKS; i++) {
            look();
        }
        assertThat(looks).isEmpty();

        set(Duration.ofNanos(1)).watch(statement(cancelled));

        assertThat(looks).hasSize(1);
        look();
        assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private void look() {
        looks.remove().run();
    }

    private Alarm set(Duration limit) {
        Alarm alarm = new Alarm(alarms);
        alarm.set(new Progress(Optional.of(limit)));
        return alarm;
    }

    private static Statement statement(CountDownLatch cancelled) {
        return (Statement) Proxy.newProxyInstance(
                AlarmsTest.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("cancel")) {
                        cancelled.countDown();
                    }
                    return null;
                });
    }
}
