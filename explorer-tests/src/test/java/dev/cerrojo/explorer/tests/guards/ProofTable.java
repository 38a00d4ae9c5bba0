package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.explorer.jdbc.Findings;
import java.util.ArrayList;
import java.util.List;

/** What was proved, and by how many schedules, as a table for {@code docs/design/proofs.md}. */
final class ProofTable {
    private final List<String> lines = new ArrayList<>();

    void add(String what, String verdict, Findings findings) {
        add(what, verdict, findings.schedules());
    }

    void add(String what, String verdict, long schedules) {
        lines.add("| %s | %s | %d |".formatted(what, verdict, schedules));
    }

    /** {@return how many rows it has} */
    int size() {
        return lines.size();
    }

    void print(String title) {
        System.out.println("== " + title + "\n" + String.join("\n", lines));
    }
}
