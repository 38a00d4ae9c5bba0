package dev.cerrojo.idempotency;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numbers in JSON, as ECMAScript writes them.
 *
 * <p>Of a number with up to 15 significant digits, in the range of normal doubles, the nearest double is no other such number's, so that
 * what ECMAScript writes for it is the number itself; so it is of integers up to 2^53. Others are not written at all.
 */
final class JsonNumber {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final BigInteger LARGEST_INTEGER = BigInteger.ONE.shiftLeft(53);
    private static final int MOST_DIGITS = 15;
    private static final int LONGEST = 1000;
    private static final int SMALLEST_EXPONENT = -307;
    private static final int LARGEST_EXPONENT = 307;

    /** From these powers of ten on ECMAScript writes an exponent. */
    private static final int FIRST_LARGE = 21;

    private static final int LAST_SMALL = -7;

    private JsonNumber() {}

    static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    /** {@return how it is written; empty when that would not be exact} */
    static Optional<String> canonical(String number) {
        if (number.length() > LONGEST || number.matches(".*[eE][+-]?[0-9]{5,}")) {
            return Optional.empty();
        }
        BigDecimal value = new BigDecimal(number).stripTrailingZeros();
        if (value.signum() == 0) {
            return Optional.of("0");
        }
        return isExact(value) ? Optional.of((value.signum() < 0 ? "-" : "") + written(value.abs())) : Optional.empty();
    }

    private static boolean isExact(BigDecimal value) {
        int exponent = exponent(value);
        return value.precision() <= MOST_DIGITS
                ? exponent >= SMALLEST_EXPONENT && exponent <= LARGEST_EXPONENT
                : value.scale() <= 0
                        && exponent < FIRST_LARGE
                        && value.toBigInteger().abs().compareTo(LARGEST_INTEGER) <= 0;
    }

    /** {@return the power of ten of its first digit} */
    private static int exponent(BigDecimal value) {
        return value.precision() - value.scale() - 1;
    }

    private static String written(BigDecimal value) {
        int exponent = exponent(value);
        if (exponent >= FIRST_LARGE || exponent < LAST_SMALL + 1) {
            String digits = value.unscaledValue().toString();
            String fraction = digits.length() > 1 ? '.' + digits.substring(1) : "";
            return digits.charAt(0) + fraction + 'e' + (exponent > 0 ? "+" : "") + exponent;
        }
        return value.toPlainString();
    }
}
