package dev.cerrojo.explorer.scenario;

import dev.cerrojo.explorer.sql.SqlTemplate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads scenario files: YAML 1.2, strict. A key that is not known, a value of another type and whatever else cannot be
 * meant is a problem with its line and the nearest key that is allowed; all problems of a file are reported at once.
 *
 * <pre>{@code
 * Scenario scenario = ScenarioReader.read(Path.of("examples/on-call.yaml"));
 * }</pre>
 */
public final class ScenarioReader {
    private static final List<String> DESCRIPTION = List.of("id", "title", "source", "class", "notes");
    private static final List<String> CONTRACT = List.of("setup", "invariant", "invariants", "ownership");
    private static final List<String> SCENARIO = List.of(
            "isolation",
            "retry",
            "setup",
            "transactions",
            "run",
            "runs",
            "invariant",
            "invariants",
            "ownership",
            "faults",
            "scope_rows",
            "expect",
            "repairs");
    private static final List<String> PLANNED = List.of("versions");

    private ScenarioReader() {}

    /**
     * Reads a scenario.
     *
     * @param file the file, UTF-8
     * @return the scenario
     * @throws ScenarioException when the file cannot be read or is no valid scenario
     */
    public static Scenario read(Path file) {
        return read(file.toString(), YamlFile.load(file));
    }

    /**
     * Reads a scenario.
     *
     * @param fileName how messages name the text
     * @param yaml the text of the file
     * @return the scenario
     * @throws ScenarioException when the text is no valid scenario
     */
    public static Scenario read(String fileName, String yaml) {
        Problems problems = new Problems(fileName);
        Optional<Scenario> scenario =
                root(YamlFile.root(fileName, yaml, problems), SCENARIO).map(root -> scenario(fileName, root, problems));
        problems.throwIfAny();
        return scenario.orElseThrow();
    }

    /**
     * Reads a contract, or the invariants and ownerships of a scenario.
     *
     * @param file the file, UTF-8
     * @return the contract
     * @throws ScenarioException when the file cannot be read, is neither or has no invariant and nothing else
     */
    public static Contract readContract(Path file) {
        return readContract(file.toString(), YamlFile.load(file));
    }

    /**
     * Reads a contract, or the invariants and ownerships of a scenario: a file with {@code transactions} is one.
     *
     * @param fileName how messages name the text
     * @param yaml the text of the file
     * @return the contract
     * @throws ScenarioException when the text is neither or has no invariant and nothing else and nothing else
     */
    public static Contract readContract(String fileName, String yaml) {
        Problems problems = new Problems(fileName);
        Field file = YamlFile.root(fileName, yaml, problems);
        Optional<Contract> contract = isScenario(file)
                ? root(file, SCENARIO).map(root -> contractOf(scenario(fileName, root, problems), root))
                : root(file, CONTRACT).map(root -> contract(fileName, root));
        problems.throwIfAny();
        return contract.orElseThrow();
    }

    private static boolean isScenario(Field file) {
        return file.isMap() && file.named().orElseThrow().has("transactions");
    }

    private static Contract contractOf(Scenario scenario, Keys root) {
        return new Contract(
                scenario.file(),
                scenario.title(),
                scenario.setup(),
                scenario.setupAt(),
                InvariantReader.someInvariants(root),
                OwnershipReader.ownerships(root));
    }

    private static Contract contract(String fileName, Keys root) {
        return new Contract(
                fileName,
                title(fileName, root),
                setup(root),
                setupAt(root),
                InvariantReader.someInvariants(root),
                OwnershipReader.ownerships(root));
    }

    private static Optional<Keys> root(Field root, List<String> allowed) {
        if (!root.isMap()) {
            root.problem(
                    "must be a map with keys such as setup, transactions, run and invariant, but was " + root.what());
            return Optional.empty();
        }
        List<String> all = new ArrayList<>(DESCRIPTION);
        all.addAll(allowed);
        Keys keys = root.named().orElseThrow();
        keys.among(PLANNED).forEach(key -> keys.refuse(key, "is not supported yet; a verdict would ignore it"));
        List<String> known = new ArrayList<>(all);
        known.addAll(PLANNED);
        keys.refuseOthersThan(all, known);
        for (String key : DESCRIPTION) {
            keys.find(key).ifPresent(Field::word);
        }
        return Optional.of(keys);
    }

    private static Scenario scenario(String fileName, Keys root, Problems problems) {
        Map<String, TransactionSpec> transactions = TransactionReader.transactions(root);
        // Only a contract uses them, but a mistake is one wherever it stands.
        OwnershipReader.ownerships(root);
        Scenario base = new Scenario(
                fileName,
                title(fileName, root),
                setup(root),
                setupAt(root),
                transactions,
                new RunReader(transactions).runs(root),
                InvariantReader.invariants(root),
                root.find("faults").map(FaultsReader::faults).orElse(Faults.NONE),
                root.find("scope_rows").flatMap(ScenarioReader::scopeRows),
                root.find("expect").flatMap(Expectations::ofFile),
                List.of());
        List<Repair> repairs = root.find("repairs")
                .map(list -> new RepairReader(base, problems).repairs(list))
                .orElse(List.of());
        return base.withRepairs(repairs);
    }

    private static String title(String fileName, Keys root) {
        String name = fileName.substring(fileName.lastIndexOf('/') + 1);
        return root.find("title").flatMap(Field::word).orElse(name);
    }

    private static String setup(Keys root) {
        return root.find("setup").flatMap(Field::text).orElse("");
    }

    private static Position setupAt(Keys root) {
        return root.find("setup").map(Field::at).orElse(new Position(0, "setup"));
    }

    /** The SQL with {@code :scope} as its only variable. */
    private static Optional<String> scopeRows(Field value) {
        return value.text().flatMap(sql -> {
            try {
                List<String> variables = SqlTemplate.parse(sql).variables();
                if (!variables.contains("scope")) {
                    value.problem("must use :scope, the key of the new scope, but does not");
                }
                variables.stream()
                        .filter(variable -> !variable.equals("scope"))
                        .forEach(variable ->
                                value.problem("must use no other variable than :scope, but uses :" + variable));
                return Optional.of(sql);
            } catch (IllegalArgumentException e) {
                value.problem(StepReader.unterminated(value, e));
                return Optional.empty();
            }
        });
    }
}
