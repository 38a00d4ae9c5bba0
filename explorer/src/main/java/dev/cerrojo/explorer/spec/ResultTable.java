package dev.cerrojo.explorer.spec;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result set as the tester prints it: as libpq's {@code PQprint} aligns, numbers to the right. Widths are in bytes, and what
 * is a number is told by its characters, as there.
 */
final class ResultTable {
    private final Answer.Result result;
    private final int[] widths;
    private final boolean[] right;

    private ResultTable(Answer.Result result) {
        this.result = result;
        this.widths = new int[result.columns().size()];
        this.right = new boolean[result.columns().size()];
    }

    /** {@return the lines, each ended; none when there is no column} */
    static String of(Answer.Result result) {
        if (result.columns().isEmpty()) {
            return "";
        }
        ResultTable table = new ResultTable(result);
        table.measure();
        StringBuilder text = new StringBuilder();
        table.header(text);
        result.rows().forEach(row -> table.row(text, row));
        int rows = result.rows().size();
        return text + "(" + rows + (rows == 1 ? " row" : " rows") + ")\n\n";
    }

    private void measure() {
        for (int i = 0; i < widths.length; i++) {
            right[i] = true;
            widths[i] = bytes(result.columns().get(i).name());
            for (List<@Nullable String> row : result.rows()) {
                String value = row.get(i);
                if (value != null && !value.isEmpty()) {
                    widths[i] = Math.max(widths[i], bytes(value));
                    right[i] &= looksNumeric(value);
                }
            }
        }
    }

    private static boolean looksNumeric(String value) {
        boolean plain = value.chars().allMatch(c -> (c >= '0' && c <= '9') || ".Ee -".indexOf(c) >= 0);
        char first = value.charAt(0);
        char last = value.charAt(value.length() - 1);
        return plain && first != 'E' && first != 'e' && last >= '0' && last <= '9';
    }

    private void header(StringBuilder text) {
        StringBuilder rule = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            text.append(i == 0 ? "" : "|").append(padded(result.columns().get(i).name(), i));
            rule.append(i == 0 ? "" : "+").append("-".repeat(widths[i]));
        }
        text.append('\n').append(rule).append('\n');
    }

    private void row(StringBuilder text, List<@Nullable String> row) {
        for (int i = 0; i < widths.length; i++) {
            String value = row.get(i);
            text.append(i == 0 ? "" : "|").append(padded(value == null ? "" : value, i));
        }
        text.append('\n');
    }

    private String padded(String value, int column) {
        String blanks = " ".repeat(Math.max(0, widths[column] - bytes(value)));
        return right[column] ? blanks + value : value + blanks;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
