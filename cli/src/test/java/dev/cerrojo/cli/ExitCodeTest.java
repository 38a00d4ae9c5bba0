package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExitCodeTest {
    @Test
    void theWorstOfSeveralFilesCounts() {
        List<Integer> worstFirst = List.of(130, 4, 3, 2, 1, 5, 0);

        for (int i = 0; i < worstFirst.size(); i++) {
            for (int j = i; j < worstFirst.size(); j++) {
                assertThat(ExitCode.worst(worstFirst.get(i), worstFirst.get(j))).isEqualTo(worstFirst.get(i));
                assertThat(ExitCode.worst(worstFirst.get(j), worstFirst.get(i))).isEqualTo(worstFirst.get(i));
            }
        }
    }
}
