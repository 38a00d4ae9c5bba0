package dev.cerrojo.explorer.spec;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** An error in all the words of libpq's {@code PQerrorMessage} ({@code fe-protocol3.c} in PostgreSQL's sources). */
final class ErrorText {
    /** How much of a line is shown. */
    private static final int LONGEST_LINE = 60;

    /** How much of it is left after the place that is pointed at. */
    private static final int LEAST_AFTER = 10;

    private static final String CUT = "...";

    private ErrorText() {}

    /** {@return the lines, each ended} */
    static String of(Answer.Failure failure, String sql) {
        StringBuilder text =
                new StringBuilder(failure.severity() + ":  " + failure.failure().message() + "\n");
        ServerErrorMessage server = failure.cause() instanceof PSQLException e ? e.getServerErrorMessage() : null;
        if (server != null) {
            text.append(place(sql, server.getPosition()))
                    .append(place(server.getInternalQuery(), server.getInternalPosition()));
            append(text, "DETAIL", server.getDetail());
            append(text, "HINT", server.getHint());
            append(text, "QUERY", server.getInternalQuery());
            append(text, "CONTEXT", server.getWhere());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String what, @Nullable String value) {
        if (value != null) {
            text.append(what).append(":  ").append(value).append('\n');
        }
    }

    /** The line of a position, counted from 1, and a mark below the position. */
    private static String place(@Nullable String sql, int position) {
        if (sql == null || position <= 0) {
            return "";
        }
        int at = Math.min(sql.length(), sql.offsetByCodePoints(0, Math.min(position - 1, codePoints(sql))));
        int begin = sql.lastIndexOf('\n', at - 1) + 1;
        int end = sql.indexOf('\n', at) < 0 ? sql.length() : sql.indexOf('\n', at);
        int right = end;
        int left = begin;
        if (end - begin > LONGEST_LINE) {
            right = at - begin + LEAST_AFTER <= LONGEST_LINE ? begin + LONGEST_LINE : Math.min(end, at + LEAST_AFTER);
            left = Math.max(begin, right - LONGEST_LINE);
        }
        long line = sql.substring(0, begin).chars().filter(c -> c == '\n').count() + 1;
        String head = "LINE " + line + ": " + (left > begin ? CUT : "");
        String shown = sql.substring(left, right).replace('\t', ' ');
        return head + shown + (right < end ? CUT : "") + "\n" + " ".repeat(head.length() + at - left) + "^\n";
    }

    private static int codePoints(String sql) {
        return sql.codePointCount(0, sql.length());
    }
}
