package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.StepInfo;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Follows the turns of a schedule as far as waits allow: at another level sessions wait elsewhere. */
final class OrderChooser implements Chooser {
    private final List<Integer> left = new ArrayList<>();

    OrderChooser(Schedule schedule) {
        for (Choice choice : schedule.choices()) {
            if (choice instanceof Choice.Turn turn) {
                left.add(turn.option());
            }
        }
    }

    @Override
    public int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending) {
        Iterator<Integer> turns = left.iterator();
        while (turns.hasNext()) {
            int option = turns.next();
            if (options.contains(option)) {
                turns.remove();
                return option;
            }
        }
        return options.get(0);
    }
}
