package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.StepInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs the sessions one after another. */
final class SerialChooser implements Chooser {
    private final List<Integer> order;

    SerialChooser(List<Integer> order) {
        this.order = List.copyOf(order);
    }

    /** {@return all orders of so many sessions; the first order and its reverse when that would be too many} */
    static List<List<Integer>> orders(int sessions, int most) {
        List<Integer> first = IntStream.range(0, sessions).boxed().toList();
        List<List<Integer>> orders = new ArrayList<>();
        if (sessions > most) {
            orders.add(first);
            List<Integer> reverse = new ArrayList<>(first);
            java.util.Collections.reverse(reverse);
            orders.add(reverse);
        } else {
            permute(List.of(), first, orders);
        }
        return orders;
    }

    private static void permute(List<Integer> begun, List<Integer> left, List<List<Integer>> orders) {
        if (left.isEmpty()) {
            orders.add(begun);
        }
        for (Integer next : left) {
            List<Integer> longer = new ArrayList<>(begun);
            longer.add(next);
            permute(longer, left.stream().filter(other -> !other.equals(next)).toList(), orders);
        }
    }

    @Override
    public int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending) {
        return order.stream().filter(options::contains).findFirst().orElseThrow();
    }
}
