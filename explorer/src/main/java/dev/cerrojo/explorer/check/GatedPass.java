package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.search.Verdict;
import java.util.Objects;

/**
 * What a second exploration found, in which sessions also stop before each statement and each row that writes a table, and
 * inside COMMIT.
 *
 * @param result what it found
 * @param trials how often the violating run was run freely, without any gate; 0 when nothing was violated
 * @param violations in how many of these trials the invariant was violated too
 */
public record GatedPass(CheckResult result, int trials, int violations) {
    /** Checks that nothing is missing. */
    public GatedPass {
        Objects.requireNonNull(result);
    }

    /**
     * {@return what it makes of a verdict that held between statements: a violation that no free trial shows is inconclusive,
     * since gates change the order of row locks; where it gave up, the verdict stands, for statements as a whole}
     */
    public Verdict verdict() {
        if (result.verdict() != Verdict.VIOLATED) {
            return Verdict.HOLDS;
        }
        return violations == 0 ? Verdict.INCONCLUSIVE : Verdict.VIOLATED;
    }

    /** {@return whether every order was run, gates included, and none violates} */
    public boolean isComplete() {
        return result.verdict() == Verdict.HOLDS;
    }
}
