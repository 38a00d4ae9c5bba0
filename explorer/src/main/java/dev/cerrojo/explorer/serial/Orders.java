package dev.cerrojo.explorer.serial;

import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * All orders of some turns, one at a time, in lexicographic order (Knuth, The Art of Computer Programming 4A, algorithm
 * 7.2.1.2 L). Of too many turns only the given order and its reverse.
 */
final class Orders implements Iterator<List<Turn>> {
    private final List<Turn> turns;
    private final boolean tooMany;
    private final int[] next;
    private boolean exhausted;

    Orders(List<Turn> turns, int most) {
        this.turns = List.copyOf(turns);
        this.tooMany = turns.size() > most;
        this.next = new int[turns.size()];
        for (int i = 0; i < next.length; i++) {
            next[i] = i;
        }
    }

    @Override
    public boolean hasNext() {
        return !exhausted;
    }

    @Override
    public List<Turn> next() {
        if (exhausted) {
            throw new NoSuchElementException();
        }
        List<Turn> order = new ArrayList<>();
        for (int i : next) {
            order.add(turns.get(i));
        }
        exhausted = tooMany ? isReversed() : !advance();
        if (tooMany) {
            reverse(0);
        }
        return Collections.unmodifiableList(order);
    }

    private boolean isReversed() {
        return next[0] > next[next.length - 1];
    }

    private boolean advance() {
        int pivot = next.length - 2;
        while (pivot >= 0 && next[pivot] > next[pivot + 1]) {
            pivot--;
        }
        if (pivot < 0) {
            return false;
        }
        int larger = next.length - 1;
        while (next[larger] < next[pivot]) {
            larger--;
        }
        swap(pivot, larger);
        reverse(pivot + 1);
        return true;
    }

    private void reverse(int from) {
        for (int i = from, j = next.length - 1; i < j; i++, j--) {
            swap(i, j);
        }
    }

    private void swap(int i, int j) {
        int kept = next[i];
        next[i] = next[j];
        next[j] = kept;
    }
}
