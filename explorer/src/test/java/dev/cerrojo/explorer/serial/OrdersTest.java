package dev.cerrojo.explorer.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class OrdersTest {
    @Test
    void allOrdersOfThreeInLexicographicOrder() {
        assertThat(sessions(new Orders(turns(3), 7)))
                .containsExactly(
                        List.of(0, 1, 2),
                        List.of(0, 2, 1),
                        List.of(1, 0, 2),
                        List.of(1, 2, 0),
                        List.of(2, 0, 1),
                        List.of(2, 1, 0));
    }

    @Test
    void nobodyHasOneOrder() {
        assertThat(sessions(new Orders(List.of(), 7))).containsExactly(List.of());
        assertThat(sessions(new Orders(turns(1), 7))).containsExactly(List.of(0));
    }

    @Test
    void ofTooManyOnlyTheFirstAndItsReverse() {
        assertThat(sessions(new Orders(turns(4), 3))).containsExactly(List.of(0, 1, 2, 3), List.of(3, 2, 1, 0));
    }

    @Test
    void everyOrderOfFiveComesOnce() {
        assertThat(sessions(new Orders(turns(5), 7))).hasSize(120).doesNotHaveDuplicates();
    }

    @Test
    void endsWithAnException() {
        Orders orders = new Orders(turns(1), 7);
        orders.next();
        assertThatThrownBy(orders::next).isInstanceOf(NoSuchElementException.class);
    }

    private static List<Turn> turns(int sessions) {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            turns.add(new Turn(i, List.of(0)));
        }
        return turns;
    }

    private static List<List<Integer>> sessions(Orders orders) {
        List<List<Integer>> all = new ArrayList<>();
        orders.forEachRemaining(
                order -> all.add(order.stream().map(Turn::session).toList()));
        return all;
    }
}
