package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.guard.NativeConstraint;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.tx.Isolation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A fix as a Java class: a method for each transaction of the scenario, which takes the serialization points, does the
 * work that it is given and checks the invariants. Where the database refuses by a constraint of its own, nothing is
 * taken first.
 */
final class JavaSnippet {
    private static final List<String> IMPORTS = List.of(
            "dev.cerrojo.schema.Finding",
            "dev.cerrojo.guard.Guard",
            "dev.cerrojo.guard.GuardOptions",
            "dev.cerrojo.guard.Guards",
            "dev.cerrojo.guard.NativeConstraint",
            "dev.cerrojo.guard.TriggerGuard",
            "dev.cerrojo.invariant.GuardedTransactions",
            "dev.cerrojo.invariant.Invariant",
            "dev.cerrojo.invariant.Rule",
            "dev.cerrojo.invariant.SerializationPoint",
            "dev.cerrojo.tx.Isolation",
            "dev.cerrojo.tx.TransactionAction",
            "dev.cerrojo.tx.TransactionOptions",
            "dev.cerrojo.tx.Transactions",
            "java.sql.SQLException",
            "java.util.ArrayList",
            "java.util.List",
            "javax.sql.DataSource");

    private final Fix fix;
    private final StringBuilder java = new StringBuilder();
    private final JavaNames names = new JavaNames();

    private JavaSnippet(Fix fix) {
        this.fix = fix;
    }

    static String className(Fix fix) {
        return "Guarded" + JavaNames.pascal(fix.name());
    }

    static String of(Fix fix) {
        JavaSnippet snippet = new JavaSnippet(fix);
        snippet.write();
        return snippet.imports() + snippet.java;
    }

    private void write() {
        line("");
        line("/**");
        line(" * Transactions that keep "
                + fix.invariants().stream().map(Invariant::name).collect(Collectors.joining(", ")) + ".");
        line(" *");
        line(
                " * <p>Written by Cerrojo: move it into a package of yours. Every path that writes these tables goes through here.");
        line(" */");
        line("public final class " + className(fix) + " {");
        fix.invariants().forEach(this::constants);
        line("    private final " + (guarded() ? "GuardedTransactions" : "Transactions") + " transactions;");
        if (fix.inDatabase()) {
            line("    private final Guards guards;");
        }
        constructor();
        if (fix.inDatabase()) {
            drift();
        }
        names.method("drift");
        names.method("refused");
        if (!guarded()) {
            refused();
        }
        transactions().transactions().values().forEach(this::method);
        line("}");
    }

    private void line(String text) {
        java.append(text).append('\n');
    }

    /** Those that the class names. */
    private String imports() {
        return IMPORTS.stream()
                .filter(name -> Pattern.compile("\\b" + name.substring(name.lastIndexOf('.') + 1) + "\\b")
                        .matcher(java)
                        .find())
                .map(name -> "import " + name + ";\n")
                .collect(Collectors.joining());
    }

    /** Whether transactions take something first: not where only constraints of PostgreSQL's refuse. */
    private boolean guarded() {
        return point().isPresent();
    }

    /** The point that the recommendation takes; beside triggers, which touch, the touch itself. */
    private Optional<String> point() {
        return switch (fix.recommended().id()) {
            case "touch" -> Optional.of("touch(%s)");
            case "advisory-lock" -> Optional.of("advisory(%s)");
            case "lock-scope-row" -> Optional.of("lockScopeRow(%s, SerializationPoint.RowLock.FOR_NO_KEY_UPDATE)");
            case "lock-scope-row-for-update" -> Optional.of("lockScopeRow(%s, SerializationPoint.RowLock.FOR_UPDATE)");
            case "serializable" -> Optional.of("serializable(%s)");
            default -> fix.hasTriggers() ? Optional.of("touch(%s)") : Optional.empty();
        };
    }

    private void constants(Invariant invariant) {
        String constant = JavaNames.constant(invariant.name());
        line("    /** "
                + (invariant.says().isBlank()
                        ? invariant.name()
                        : JavaNames.comment(invariant.says().strip())) + " */");
        line("    public static final Invariant " + constant + " = " + JavaInvariant.of(invariant) + ";");
        line("");
        point().ifPresent(point -> {
            line("    private static final SerializationPoint " + constant + "_POINT =");
            line("            SerializationPoint." + point.formatted(constant) + ";");
            line("");
        });
        guard(invariant).ifPresent(guard -> {
            line("    private static final Guard " + constant + "_GUARD =");
            line("            " + guard + ".of(" + constant + ", GuardOptions.defaults());");
            line("");
        });
    }

    private Optional<String> guard(Invariant invariant) {
        return fix.guards().stream()
                .filter(guard -> guard.invariant().name().equals(invariant.name()))
                .findFirst()
                .map(guard -> guard instanceof NativeConstraint ? "NativeConstraint" : "TriggerGuard");
    }

    private void constructor() {
        String transactions = "Transactions.over(dataSource, TransactionOptions.builder().isolation(Isolation."
                + level().name() + ").build())";
        line("");
        line("    public " + className(fix) + "(DataSource dataSource) {");
        line("        transactions = " + (guarded() ? "GuardedTransactions.over(" + transactions + ")" : transactions)
                + ";");
        if (fix.inDatabase()) {
            line("        guards = Guards.over(dataSource);");
        }
        line("    }");
    }

    /** The one that was explored; where transactions have several, the highest. */
    private Isolation level() {
        return transactions().transactions().values().stream()
                .map(TransactionSpec::isolation)
                .reduce(Isolation.READ_COMMITTED, (one, other) -> one.compareTo(other) >= 0 ? one : other);
    }

    private Scenario transactions() {
        return fix.application().orElse(fix.scenario());
    }

    private void drift() {
        line("");
        line("    /** In what the database differs from the migration, if at all: ask at start. */");
        line("    public List<Finding> drift() throws SQLException {");
        line("        List<Finding> findings = new ArrayList<>();");
        fix.guards()
                .forEach(guard -> line("        findings.addAll(guards.verify("
                        + JavaNames.constant(guard.invariant().name()) + "_GUARD));"));
        line("        return findings;");
        line("    }");
    }

    private void refused() {
        line("");
        line(
                "    /** Whether the database refused because an invariant would be violated: the answer, and no error. */");
        line("    public static boolean refused(Throwable failure) {");
        line("        return "
                + fix.invariants().stream()
                        .map(invariant -> JavaNames.constant(invariant.name()) + ".refused(failure)")
                        .collect(Collectors.joining(" || "))
                + ";");
        line("    }");
    }

    private void method(TransactionSpec transaction) {
        String parameter = JavaNames.camel(transaction.scope().orElse("scope"));
        parameter = parameter.equals("work") ? "scope" : parameter;
        boolean scoped = guarded() && fix.invariants().stream().anyMatch(JavaSnippet::hasScopeRows);
        line("");
        line("    /** " + transaction.name() + ": the work is what follows, on the connection that it is given. */");
        line("    public <X extends Exception> void " + names.method(transaction.name()) + "("
                + (scoped ? "Object " + parameter + ", " : "") + "TransactionAction<X> work) throws X {");
        transaction.steps().forEach(this::step);
        line("        transactions.run(" + (guarded() ? points(parameter) + ", " : "") + "work);");
        line("    }");
    }

    private static boolean hasScopeRows(Invariant invariant) {
        return invariant.scope() instanceof Scope.Table;
    }

    private String points(String parameter) {
        List<String> scopes = fix.invariants().stream()
                .map(invariant -> JavaNames.constant(invariant.name()) + "_POINT."
                        + (hasScopeRows(invariant) ? "at(" + parameter + ")" : "globally()"))
                .toList();
        return scopes.size() == 1 ? scopes.get(0) : "List.of(" + String.join(", ", scopes) + ")";
    }

    /** What the point itself sends is sent by the library. */
    private void step(Step step) {
        if (!(step instanceof Step.Statement statement)) {
            line("        // COMMIT, and another transaction: not one that is guarded as a whole");
        } else if (!(guarded() && step.at().line() == 0)) {
            String kind = step.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            line("        // " + kind + ": "
                    + JavaNames.comment(statement.sql().text().strip()));
        }
    }
}
