package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.search.Verdict;

/** What an exploration must come to, no less and no more. What it was is printed: the counts stand in docs/design/leases.md. */
final class Proofs {
    private Proofs() {}

    /** In every order. */
    static void holds(Interleavings race) {
        comesTo(Verdict.HOLDS, race);
    }

    /** A control: the protection is off, and that is found. */
    static void isViolated(Interleavings race) {
        comesTo(Verdict.VIOLATED, race);
    }

    /** Not in every order, for the one reason that is known. */
    static void isNotViolatedButUndecided(Interleavings race, String reason) {
        assertThat(comesTo(Verdict.INCONCLUSIVE, race).summary()).contains(reason);
    }

    private static Findings comesTo(Verdict verdict, Interleavings race) {
        Findings findings = race.explore();
        System.out.println(test() + ": " + findings.summary());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(verdict);
        return findings;
    }

    private static String test() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getMethodName)
                        .dropWhile(name -> !name.equals("comesTo"))
                        .skip(2)
                        .findFirst())
                .orElse("");
    }
}
