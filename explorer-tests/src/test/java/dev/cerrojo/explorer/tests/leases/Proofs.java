package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.search.Verdict;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What an exploration must come to, no less and no more. What it was is printed: the counts stand in docs/design/leases.md. */
final class Proofs {
    private static final Set<String> OWN = Arrays.stream(Proofs.class.getDeclaredMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());

    private Proofs() {}

    /** In every order. */
    static void holds(Interleavings race) {
        comesTo(Verdict.HOLDS, race);
    }

    /**
     * In every order, of three sessions: of two that wait for one row PostgreSQL chooses who goes on. Where it does not choose again as it
     * did, or another choice was not seen, the search says so instead of that it holds.
     */
    static void holdsUnlessWakeUpsCannotBeRepeated(Interleavings race) {
        Findings findings = found(race);
        if (findings.verdict() != Verdict.HOLDS) {
            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.INCONCLUSIVE);
            assertThat(findings.summary()).containsAnyOf("not deterministic: diverged", "was PostgreSQL's choice");
        }
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
        Findings findings = found(race);
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(verdict);
        return findings;
    }

    private static Findings found(Interleavings race) {
        Findings findings = race.explore();
        System.out.println(test() + ": " + findings.summary());
        return findings;
    }

    private static String test() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getMethodName)
                        .dropWhile(name -> !OWN.contains(name))
                        .dropWhile(OWN::contains)
                        .findFirst())
                .orElse("");
    }
}
