package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * A scenario's own text as a regression test: as it stands it is expected to be violated, which is the control, and with
 * the fix it is expected to hold. The file's own {@code expect} and {@code repairs} are left out; all else, comments too,
 * stays as it was written.
 */
final class RegressionYaml {
    private static final int MOST_ALIASES = 100;
    private static final String ANCHOR = "cerrojo_migration";
    private static final List<String> LEFT_OUT = List.of("expect", "repairs");

    private final Scenario base;
    private final StringBuilder yaml = new StringBuilder();
    private String appended = "";

    private RegressionYaml(Scenario base) {
        this.base = base;
    }

    /**
     * What the test expects with a fix.
     *
     * @param name what it is called
     * @param expect what must be found
     * @param scenario the scenario with the fix: setup and transactions differ from the base
     */
    record Guarded(String name, Expectation expect, Scenario scenario) {}

    /** A text that cannot be edited. */
    static final class NotEditable extends Exception {
        private static final long serialVersionUID = 1L;

        NotEditable(String reason) {
            super(reason);
        }
    }

    static String of(String text, Scenario base, List<Guarded> guarded) throws NotEditable {
        RegressionYaml regression = new RegressionYaml(base);
        regression
                .yaml
                .append(withoutJudgement(text))
                .append("\n# As it stands: the control.\nexpect: violated\n\nrepairs:\n");
        guarded.forEach(regression::repair);
        return regression.yaml.toString();
    }

    // ---------------------------------------------------------------- the text as it was written

    private static String withoutJudgement(String text) throws NotEditable {
        MappingNode root = root(text.startsWith("\uFEFF") ? text.substring(1) : text);
        List<String> lines = text.lines().toList();
        boolean[] cut = new boolean[lines.size()];
        List<Integer> starts = new ArrayList<>();
        for (NodeTuple entry : root.getValue()) {
            starts.add(line(entry.getKeyNode()));
        }
        int end = Math.min(lines.size(), root.getEndMark().map(Mark::getLine).orElse(lines.size()) + 1);
        starts.add(documentEnd(lines, end));
        for (int i = 0; i < root.getValue().size(); i++) {
            if (root.getValue().get(i).getKeyNode() instanceof ScalarNode key && LEFT_OUT.contains(key.getValue())) {
                cut(lines, cut, starts.get(i), starts.get(i + 1));
            }
        }
        return kept(lines, cut, starts.get(starts.size() - 1));
    }

    private static MappingNode root(String text) throws NotEditable {
        LoadSettings settings = LoadSettings.builder()
                .setMaxAliasesForCollections(MOST_ALIASES)
                .setAllowNonScalarKeys(true)
                .build();
        Optional<Node> root = new Compose(settings).composeString(text);
        if (root.orElse(null) instanceof MappingNode map && map.getFlowStyle() == FlowStyle.BLOCK) {
            return map;
        }
        throw new NotEditable(
                "the scenario is written as { … }, which cannot be extended: write its keys one below the other");
    }

    private static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0);
    }

    private static int documentEnd(List<String> lines, int end) {
        for (int i = 0; i < end; i++) {
            if (lines.get(i).startsWith("...")) {
                return i;
            }
        }
        return lines.size();
    }

    /** With the comment right above it; the comment above the next key is that key's. */
    private static void cut(List<String> lines, boolean[] cut, int start, int next) {
        int last = next - 1;
        while (last > start && isBlankOrComment(lines.get(last))) {
            last--;
        }
        int first = start;
        while (first > 0 && lines.get(first - 1).startsWith("#")) {
            first--;
        }
        for (int i = first; i <= last; i++) {
            cut[i] = true;
        }
    }

    private static boolean isBlankOrComment(String line) {
        return line.isBlank() || line.startsWith("#");
    }

    private static String kept(List<String> lines, boolean[] cut, int end) {
        StringBuilder kept = new StringBuilder();
        for (int i = 0; i < end; i++) {
            if (!cut[i]) {
                kept.append(lines.get(i)).append('\n');
            }
        }
        return kept.toString().stripTrailing() + "\n";
    }

    // ---------------------------------------------------------------- the fix

    private void repair(Guarded guarded) {
        yaml.append("  - name: ").append(quoted(guarded.name())).append('\n');
        yaml.append("    expect: ").append(guarded.expect().word()).append('\n');
        String added = guarded.scenario().setupAddedTo(base);
        if (!added.isEmpty()) {
            appended(added);
        }
        Map<String, TransactionSpec> after = guarded.scenario().transactions();
        differing(after).forEach(this::attributes);
        List<TransactionSpec> changed = after.values().stream()
                .filter(spec -> !sameSteps(before(spec), spec))
                .toList();
        if (!changed.isEmpty()) {
            yaml.append("    steps:\n");
            changed.forEach(this::steps);
        }
    }

    /** The same migration stands there once. */
    private void appended(String sql) {
        if (sql.equals(appended)) {
            yaml.append("    setup_append: *").append(ANCHOR).append('\n');
        } else {
            block("    setup_append: &" + ANCHOR, sql, "      ");
            appended = sql;
        }
    }

    /** One that stands for all: a repair's attributes are those of every transaction. */
    private List<TransactionSpec> differing(Map<String, TransactionSpec> after) {
        return after.values().stream()
                .filter(spec -> before(spec).isolation() != spec.isolation()
                        || before(spec).retry() != spec.retry()
                        || before(spec).atomic() != spec.atomic())
                .limit(1)
                .toList();
    }

    private TransactionSpec before(TransactionSpec after) {
        return Objects.requireNonNull(base.transactions().get(after.name()));
    }

    private void attributes(TransactionSpec after) {
        TransactionSpec before = before(after);
        if (before.isolation() != after.isolation()) {
            yaml.append("    isolation: ").append(after.isolation().sql()).append('\n');
        }
        if (before.retry() != after.retry()) {
            yaml.append("    retry: ").append(after.retry()).append('\n');
        }
        if (before.atomic() != after.atomic()) {
            yaml.append("    atomic: ").append(after.atomic()).append('\n');
        }
    }

    private void steps(TransactionSpec spec) {
        yaml.append("      ").append(spec.name()).append(":\n");
        spec.steps().forEach(this::step);
    }

    private void step(Step step) {
        if (!(step instanceof Step.Statement statement)) {
            yaml.append("        - commit: true\n");
            return;
        }
        String kind = step instanceof Step.Read ? "read" : step instanceof Step.Write ? "write" : "check";
        block("        - " + kind + ":", statement.sql().text().strip(), "            ");
        if (step instanceof Step.Check check) {
            check.refusal()
                    .ifPresent(name ->
                            yaml.append("          else: ").append(quoted(name)).append('\n'));
        }
        if (statement.autonomous()) {
            yaml.append("          autonomous: true\n");
        }
    }

    /** Text as it is; where a block could not keep it, in quotes. */
    private void block(String key, String text, String indent) {
        boolean plain = !text.isBlank()
                && !text.startsWith(" ")
                && !text.startsWith("\n")
                && !text.endsWith("\n\n")
                && text.chars()
                        .allMatch(c -> c == '\n'
                                || c == '\t'
                                || (c >= ' ' && c <= '~')
                                || (c >= 0xA0 && c < 0xD800 && c != 0x2028 && c != 0x2029));
        if (!plain) {
            yaml.append(key).append(' ').append(quoted(text)).append('\n');
            return;
        }
        yaml.append(key).append(text.endsWith("\n") ? " |\n" : " |-\n");
        text.lines()
                .forEach(
                        line -> yaml.append(line.isEmpty() ? "" : indent + line).append('\n'));
    }

    /** In double quotes, with escapes as JSON has them, which YAML reads. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars()
                .forEach(c -> quoted.append(
                        c == '"' || c == '\\'
                                ? "\\" + (char) c
                                : c < ' ' || c > '~' ? String.format("\\u%04x", c) : String.valueOf((char) c)));
        return quoted.append('"').toString();
    }

    /** {@return whether both do the same, wherever their steps stand in a file} */
    static boolean sameSteps(TransactionSpec one, TransactionSpec other) {
        return comparable(one).equals(comparable(other));
    }

    private static List<List<Object>> comparable(TransactionSpec spec) {
        return spec.steps().stream().map(RegressionYaml::comparable).toList();
    }

    private static List<Object> comparable(Step step) {
        return step instanceof Step.Statement statement
                ? List.of(
                        step.getClass(),
                        statement.sql().text().strip(),
                        statement.autonomous(),
                        step instanceof Step.Check check ? check.refusal() : Optional.empty())
                : List.of(step.getClass());
    }
}
