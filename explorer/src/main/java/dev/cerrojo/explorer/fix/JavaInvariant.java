package dev.cerrojo.explorer.fix;

import static dev.cerrojo.explorer.fix.JavaNames.literal;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An invariant as the Java that declares it. */
final class JavaInvariant {
    private JavaInvariant() {}

    static String of(Invariant invariant) {
        StringBuilder java = new StringBuilder("Invariant.named(" + literal(invariant.name()) + ")");
        if (!invariant.says().isEmpty()) {
            call(java, "says", literal(invariant.says()));
        }
        if (invariant.scope() instanceof Scope.Table table) {
            call(java, "per", literal(table.table()), literal(table.key()));
        }
        invariant.where().ifPresent(where -> call(java, "where", literal(where)));
        rule(java, invariant.rule());
        return java.toString();
    }

    private static void call(StringBuilder java, String method, String... arguments) {
        java.append("\n            .")
                .append(method)
                .append('(')
                .append(String.join(", ", arguments))
                .append(')');
    }

    private static void rule(StringBuilder java, Rule rule) {
        if (rule instanceof Rule.AtLeast atLeast) {
            call(java, "atLeast", Long.toString(atLeast.bound()), rows(atLeast.of()));
        } else if (rule instanceof Rule.AtMost atMost) {
            call(java, "atMost", Long.toString(atMost.bound()), rows(atMost.of()));
        } else if (rule instanceof Rule.SumAtLeast sum) {
            call(java, "sumAtLeast", decimal(sum.bound().toString()), literal(sum.column()), rows(sum.of()));
        } else if (rule instanceof Rule.SumAtMost sum) {
            call(java, "sumAtMost", decimal(sum.bound().toString()), literal(sum.column()), rows(sum.of()));
        } else {
            other(java, rule);
        }
    }

    private static void other(StringBuilder java, Rule rule) {
        if (rule instanceof Rule.Unique unique) {
            call(
                    java,
                    "unique",
                    after(
                            rows(unique.table(), unique.where()),
                            unique.columns().stream().map(JavaNames::literal)));
        } else if (rule instanceof Rule.NoOverlap overlap) {
            call(
                    java,
                    "noOverlap",
                    after(
                            rows(overlap.table(), overlap.where()),
                            overlap.elements().stream()
                                    .map(element -> "new Rule.NoOverlap.Element(" + literal(element.expression()) + ", "
                                            + literal(element.operator()) + ")")));
        } else if (rule instanceof Rule.ViolatedBy violatedBy) {
            call(
                    java,
                    "violatedBy",
                    after(
                            literal(violatedBy.sql()),
                            violatedBy.watches().stream().map(JavaInvariant::watch)));
        }
    }

    private static String after(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).collect(Collectors.joining(", "));
    }

    private static String watch(Rule.Watch watch) {
        return "Rule.Watch.of(" + literal(watch.table()) + ")"
                + watch.scopeExpression()
                        .map(expression -> ".by(" + literal(expression) + ")")
                        .orElse("");
    }

    private static String decimal(String number) {
        return "new java.math.BigDecimal(" + literal(number) + ")";
    }

    private static String rows(Rule.Rows rows) {
        return "Rule.Rows.of(" + literal(rows.table()) + ")"
                + rows.scopeColumn()
                        .map(column -> ".by(" + literal(column) + ")")
                        .orElse("")
                + rows.where().map(where -> ".where(" + literal(where) + ")").orElse("");
    }

    private static String rows(String table, Optional<String> where) {
        return rows(new Rule.Rows(table, Optional.empty(), where));
    }
}
