package dev.cerrojo.explorer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.search.Verdict;
import org.junit.jupiter.api.Test;

class FixProofTest {
    @Test
    void whatIsUndecidedInsideOfStatementsIsNotSaidToFail() {
        assertThat(FixProof.insideProblem(Verdict.HOLDS)).isEmpty();
        assertThat(FixProof.insideProblem(Verdict.VIOLATED).orElseThrow()).contains("but not inside of them");
        assertThat(FixProof.insideProblem(Verdict.INCONCLUSIVE).orElseThrow())
                .contains("not explored to the end")
                .doesNotContain("but not inside");
    }
}
