package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** A gate that stops nobody: sessions run as they would without us, a little later or sooner by chance. */
final class FreeGate implements Gate {
    private static final int MOST_DELAY_NANOS = 400_000;

    private final SplittableRandom random;

    FreeGate(long seed) {
        this.random = new SplittableRandom(seed);
    }

    @Override
    public StepResult step(StepInfo step, int backend, Action action) {
        LockSupport.parkNanos(random.nextInt(MOST_DELAY_NANOS));
        return action.run(OptionalInt.empty());
    }

    @Override
    public void note(String text) {
        // nobody reads it
    }
}
