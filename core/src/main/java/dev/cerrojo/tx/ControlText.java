package dev.cerrojo.tx;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses SQL that would begin or end a transaction. */
final class ControlText {
    /** Blanks and comments, then the first word; of several statements in one text only the first is looked at. */
    private static final Pattern CONTROL = Pattern.compile(
            "(?is)(?:\\s|;|--[^\\r\\n]*|/\\*.*?\\*/)*+(begin|start\\s+transaction|commit|end|abort|rollback(?!\\s+(?:work\\s+|transaction\\s+)?to\\b)|prepare\\s+transaction)\\b.*");

    private ControlText() {}

    static void refuse(String sql) {
        Matcher control = CONTROL.matcher(sql);
        if (control.matches()) {
            throw new TransactionControlException(
                    "the SQL \"%s\" would begin or end a transaction that belongs to Transactions: return from the work to commit, throw to roll back"
                            .formatted(control.group(1)));
        }
    }
}
