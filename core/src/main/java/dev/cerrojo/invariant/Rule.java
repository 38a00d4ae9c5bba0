package dev.cerrojo.invariant;

import static dev.cerrojo.invariant.Declaration.require;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The condition of an invariant.
 *
 * <p>Tables and columns are names as SQL writes them ({@code on_call}, {@code app.on_call}, {@code "OnCall"}).
 * Conditions name the columns of their own table without qualification, and look at one row only: the same row must
 * always give the same answer (no clock, no sub-query), or a trigger cannot know when the answer changes.
 */
public sealed interface Rule {
    /**
     * The rows that a counting rule is about.
     *
     * @param table the table
     * @param scopeColumn its column that names the scope; empty in global scope. A row where it is NULL belongs to no
     *     scope
     * @param where which rows count, as an SQL condition over the table; none means all
     */
    record Rows(String table, Optional<String> scopeColumn, Optional<String> where) {
        /** Checks names and condition. */
        public Rows {
            Declaration.table("table of the counted rows", table);
            scopeColumn.ifPresent(column -> Declaration.column("scope column of " + table, column));
            Declaration.conditionWithoutSubQuery("where of " + table, where);
        }

        /** {@return all rows of a table, in global scope} */
        public static Rows of(String table) {
            return new Rows(table, Optional.empty(), Optional.empty());
        }

        /** {@return these rows, each in the scope that a column names} */
        public Rows by(String column) {
            return new Rows(table, Optional.of(column), where);
        }

        /** {@return of these rows those that meet an SQL condition} */
        public Rows where(String condition) {
            return new Rows(table, scopeColumn, Optional.of(condition));
        }
    }

    /** A rule that counts or sums rows of one table per scope. */
    sealed interface Counting extends Rule permits AtLeast, AtMost, SumAtLeast, SumAtMost {
        /** {@return the rows that are counted or summed} */
        Rows of();
    }

    /**
     * At least so many rows in each scope.
     *
     * @param bound at least 1
     * @param of the rows
     */
    record AtLeast(long bound, Rows of) implements Counting {
        /** Checks the bound. */
        public AtLeast {
            require(bound >= 1, "at_least must be 1 or more (every count is at least 0), but was %d", bound);
            Objects.requireNonNull(of);
        }
    }

    /**
     * At most so many rows in each scope.
     *
     * @param bound at least 0
     * @param of the rows
     */
    record AtMost(long bound, Rows of) implements Counting {
        /** Checks the bound. */
        public AtMost {
            require(bound >= 0, "at_most must be 0 or more (no count is below 0), but was %d", bound);
            Objects.requireNonNull(of);
        }
    }

    /**
     * The sum of a column is at least the bound in each scope; of no rows it is 0.
     *
     * @param bound may be negative
     * @param column a numeric column; NULL adds nothing
     * @param of the rows
     */
    record SumAtLeast(BigDecimal bound, String column, Rows of) implements Counting {
        /** Checks the column. */
        public SumAtLeast {
            Objects.requireNonNull(bound);
            Declaration.column("column of sum_at_least", column);
            Objects.requireNonNull(of);
        }
    }

    /**
     * The sum of a column is at most the bound in each scope; of no rows it is 0.
     *
     * @param bound may be negative
     * @param column a numeric column; NULL adds nothing
     * @param of the rows
     */
    record SumAtMost(BigDecimal bound, String column, Rows of) implements Counting {
        /** Checks the column. */
        public SumAtMost {
            Objects.requireNonNull(bound);
            Declaration.column("column of sum_at_most", column);
            Objects.requireNonNull(of);
        }
    }

    /**
     * No two rows agree in all columns (NULLs never agree).
     *
     * @param table the table
     * @param columns at least one
     * @param where which rows are compared, as an SQL condition over the table; none means all
     */
    record Unique(String table, List<String> columns, Optional<String> where) implements Rule {
        /** Checks names and condition, copies the columns. */
        public Unique {
            Declaration.table("table of unique", table);
            columns = List.copyOf(columns);
            require(!columns.isEmpty(), "unique on %s must name at least one column, such as %s(email)", table, table);
            columns.forEach(column -> Declaration.column("column of unique on " + table, column));
            Declaration.conditionWithoutSubQuery("where of unique on " + table, where);
        }
    }

    /**
     * No two rows agree in all elements, each compared by its own operator (NULLs never agree).
     *
     * @param table the table
     * @param elements at least one, for example {@code room WITH =} and {@code during WITH &&}
     * @param where which rows are compared, as an SQL condition over the table; none means all
     */
    record NoOverlap(String table, List<Element> elements, Optional<String> where) implements Rule {
        /** Checks name and condition, copies the elements. */
        public NoOverlap {
            Declaration.table("table of no_overlap", table);
            elements = List.copyOf(elements);
            require(
                    !elements.isEmpty(),
                    "no_overlap on %s must have at least one element, such as %s(during WITH &&)",
                    table,
                    table);
            Declaration.conditionWithoutSubQuery("where of no_overlap on " + table, where);
        }

        /**
         * One element of an exclusion rule.
         *
         * @param expression a column or an expression
         * @param operator a commutative operator, such as {@code =} or {@code &&}
         */
        public record Element(String expression, String operator) {
            private static final Pattern OPERATOR = Pattern.compile("[-+*/<>=~!@#%^&|`?]{1,63}");

            /** Checks that the operator is one. */
            public Element {
                Declaration.conditionWithoutSubQuery("element of no_overlap", Optional.of(expression));
                require(
                        OPERATOR.matcher(operator).matches() && !operator.contains("--") && !operator.contains("/*"),
                        "operator of no_overlap element %s must be an SQL operator, such as = or &&, but was: %s",
                        expression,
                        operator);
            }
        }
    }

    /**
     * Anything else.
     *
     * @param sql a query that returns the violating rows
     * @param watches the tables whose changes can violate it; empty when they were not declared
     */
    record ViolatedBy(String sql, List<Watch> watches) implements Rule {
        /** Checks that the query is one statement, copies the watches. */
        public ViolatedBy {
            Declaration.query("violated_by", sql);
            watches = List.copyOf(watches);
        }
    }

    /**
     * A table whose changes can violate an invariant.
     *
     * @param table the table
     * @param scopeExpression the scope that a changed row is about, as an SQL expression over the table; empty in global
     *     scope
     */
    record Watch(String table, Optional<String> scopeExpression) {
        /** Checks name and expression. */
        public Watch {
            Declaration.table("table of a watch", table);
            Declaration.condition("scope of watch " + table, scopeExpression);
        }

        /** {@return a watched table whose rows are in global scope} */
        public static Watch of(String table) {
            return new Watch(table, Optional.empty());
        }

        /** {@return the same, each row in the scope that an SQL expression over the table names} */
        public Watch by(String expression) {
            return new Watch(table, Optional.of(expression));
        }
    }
}
