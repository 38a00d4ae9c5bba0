package dev.cerrojo.invariant;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The condition of an invariant. */
public sealed interface Rule {
    /**
     * The rows that a counting rule is about.
     *
     * @param table the table
     * @param scopeColumn its column that names the scope; empty in global scope
     * @param where which rows count, as an SQL condition over the table; none means all
     */
    record Rows(String table, Optional<String> scopeColumn, Optional<String> where) {}

    /** At least so many rows in each scope. */
    record AtLeast(long bound, Rows of) implements Rule {}

    /** At most so many rows in each scope. */
    record AtMost(long bound, Rows of) implements Rule {}

    /** The sum of a column is at least the bound in each scope; of no rows it is 0. */
    record SumAtLeast(BigDecimal bound, String column, Rows of) implements Rule {}

    /** The sum of a column is at most the bound in each scope; of no rows it is 0. */
    record SumAtMost(BigDecimal bound, String column, Rows of) implements Rule {}

    /** No two rows agree in all columns (NULLs never agree). */
    record Unique(String table, List<String> columns, Optional<String> where) implements Rule {}

    /**
     * No two rows agree in all elements, each compared by its own operator.
     *
     * @param elements at least one, for example {@code room WITH =} and {@code during WITH &&}
     */
    record NoOverlap(String table, List<Element> elements, Optional<String> where) implements Rule {
        /**
         * One element of an exclusion rule.
         *
         * @param expression a column or an expression
         * @param operator a commutative operator, such as {@code =} or {@code &&}
         */
        public record Element(String expression, String operator) {}
    }

    /**
     * Anything else.
     *
     * @param sql a query that returns the violating rows
     * @param watches the tables whose changes can violate it; empty when they were not declared
     */
    record ViolatedBy(String sql, List<Watch> watches) implements Rule {}

    /**
     * A table whose changes can violate an invariant.
     *
     * @param table the table
     * @param scopeExpression the scope that a changed row is about, as an SQL expression over the table; empty in global
     *     scope
     */
    record Watch(String table, Optional<String> scopeExpression) {}
}
