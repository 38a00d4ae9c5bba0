package dev.cerrojo.explorer.scenario;

import java.math.BigDecimal;

/** A literal argument of a run entry. */
public sealed interface Value {
    /** {@return the value as a run entry writes it: {@code 1}, {@code 'A'}, {@code true}, {@code null}} */
    String literal();

    /** A whole number that fits 64 bits. */
    record Int(long value) implements Value {
        @Override
        public String literal() {
            return Long.toString(value);
        }
    }

    /** Any other number. */
    record Decimal(BigDecimal value) implements Value {
        @Override
        public String literal() {
            return value.toPlainString();
        }
    }

    /** A text, written in single quotes, a quote inside doubled. */
    record Text(String value) implements Value {
        @Override
        public String literal() {
            return "'" + value.replace("'", "''") + "'";
        }
    }

    /** TRUE or FALSE. */
    record Bool(boolean value) implements Value {
        @Override
        public String literal() {
            return Boolean.toString(value);
        }
    }

    /** NULL. */
    record Null() implements Value {
        @Override
        public String literal() {
            return "null";
        }
    }
}
