package dev.cerrojo.invariant;

import dev.cerrojo.internal.SqlName;

/**
 * What a counting rule measures.
 *
 * @param name the name of the column that shows it
 * @param aggregate the expression over the rows {@code t}
 * @param operator what stands between it and the bound when the rule is violated
 * @param bound the bound as SQL
 * @param limit the name of the column that shows the bound
 */
record Measure(String name, String aggregate, String operator, String bound, String limit) {
    static Measure of(Rule.Counting rule) {
        if (rule instanceof Rule.AtLeast atLeast) {
            return new Measure("count", "count(*)", "<", Long.toString(atLeast.bound()), "at_least");
        } else if (rule instanceof Rule.AtMost atMost) {
            return new Measure("count", "count(*)", ">", Long.toString(atMost.bound()), "at_most");
        } else if (rule instanceof Rule.SumAtLeast sum) {
            return new Measure("sum", sum(sum.column()), "<", sum.bound().toPlainString(), "at_least");
        }
        Rule.SumAtMost sum = (Rule.SumAtMost) rule;
        return new Measure("sum", sum(sum.column()), ">", sum.bound().toPlainString(), "at_most");
    }

    private static String sum(String column) {
        return "coalesce(sum(t." + SqlName.of(column).sql() + "), 0)";
    }

    /** {@return how far a value is from the bound, as an expression; negative beyond it} */
    String margin(String value) {
        return operator.equals("<") ? value + " - (" + bound + ")" : "(" + bound + ") - " + value;
    }
}
