package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses SQL that would begin or end a transaction. */
final class ControlText {
    private static final Pattern SUSPECT =
            Pattern.compile("(?i)\\b(?:begin|start|commit|end|abort|rollback|prepare)\\b");

    /** As the first words of a statement; END only of the first, since it also ends the body of an SQL function. */
    private static final Pattern CONTROL = Pattern.compile(
            "(?i)(?:^[\\s;]*end|(?:^|;)\\s*(?:begin(?!\\s+atomic)|start\\s+transaction|commit|abort|prepare\\s+transaction"
                    + "|rollback(?!\\s+(?:(?:work|transaction)\\s+)?to\\b)))\\b");

    private ControlText() {}

    static void refuse(String sql) {
        if (!SUSPECT.matcher(sql).find()) {
            return;
        }
        Matcher control = CONTROL.matcher(SqlText.outside(sql));
        if (control.find()) {
            throw new TransactionControlException(
                    "the SQL \"%s\" would begin or end a transaction that Transactions begins and ends: return from the work to commit, throw to roll back"
                            .formatted(sql.strip()));
        }
    }
}
