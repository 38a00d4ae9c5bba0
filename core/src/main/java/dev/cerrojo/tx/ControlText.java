package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlText;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses SQL that would begin or end a transaction. */
final class ControlText {
    /** As the first words of a statement. */
    private static final Pattern CONTROL =
            Pattern.compile("(?i)(?:^|;)\\s*(?:begin|start\\s+transaction|commit|end|abort|prepare\\s+transaction"
                    + "|rollback(?!\\s+(?:(?:work|transaction)\\s+)?to\\b))\\b");

    /** The body of an SQL function: END ends it, and within it nothing can end the transaction. */
    private static final Pattern BODY = Pattern.compile(
            "(?i)\\bcreate\\s+(?:or\\s+replace\\s+)?(?:function|procedure)\\b[^;]*\\bbegin\\s+atomic\\b.*?;\\s*end\\b",
            Pattern.DOTALL);

    private static final Set<String> WORDS = Set.of("begin", "start", "commit", "end", "abort", "rollback", "prepare");

    private ControlText() {}

    static void refuse(String sql) {
        if (mayControl(sql)) {
            refuseControl(sql);
        }
    }

    /** Every statement comes by here, so most are told by their first word and that there is only one of them. */
    private static boolean mayControl(String sql) {
        int start = 0;
        while (start < sql.length() && (Character.isWhitespace(sql.charAt(start)) || sql.charAt(start) == '(')) {
            start++;
        }
        int end = start;
        while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
            end++;
        }
        return end == start
                || sql.indexOf(';', end) >= 0
                || WORDS.contains(sql.substring(start, end).toLowerCase(Locale.ROOT));
    }

    private static void refuseControl(String sql) {
        Matcher control = CONTROL.matcher(BODY.matcher(SqlText.outside(sql)).replaceAll(""));
        if (control.find()) {
            throw new TransactionControlException(
                    "the SQL \"%s\" would begin or end a transaction that Transactions begins and ends: return from the work to commit, throw to roll back"
                            .formatted(sql.strip()));
        }
    }
}
