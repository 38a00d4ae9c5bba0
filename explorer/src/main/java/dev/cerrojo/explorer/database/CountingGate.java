package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import java.util.OptionalInt;

/** A gate that stops nobody, and counts: each step asks the server once, since BEGIN goes with the first. */
final class CountingGate implements Gate {
    private int steps;

    @Override
    public StepResult step(StepInfo step, int backend, Action action) {
        steps++;
        return action.run(OptionalInt.empty());
    }

    @Override
    public void note(String text) {
        // what the application computes by itself asks nobody
    }

    int steps() {
        return steps;
    }
}
