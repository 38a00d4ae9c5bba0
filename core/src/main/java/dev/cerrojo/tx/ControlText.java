package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refuses SQL that would begin or end a transaction. */
final class ControlText {
    private static final Pattern SUSPECT =
            Pattern.compile("(?i)\\b(?:begin|start|commit|end|abort|rollback|prepare)\\b");

    /** As the first words of a statement. */
    private static final Pattern CONTROL =
            Pattern.compile("(?i)(?:^|;)\\s*(?:begin|start\\s+transaction|commit|end|abort|prepare\\s+transaction"
                    + "|rollback(?!\\s+(?:(?:work|transaction)\\s+)?to\\b))\\b");

    /** The body of an SQL function: END ends it, and within it nothing can end the transaction. */
    private static final Pattern BODY = Pattern.compile(
            "(?i)\\bcreate\\s+(?:or\\s+replace\\s+)?(?:function|procedure)\\b[^;]*\\bbegin\\s+atomic\\b.*?;\\s*end\\b",
            Pattern.DOTALL);

    private ControlText() {}

    static void refuse(String sql) {
        if (!SUSPECT.matcher(sql).find()) {
            return;
        }
        Matcher control = CONTROL.matcher(BODY.matcher(SqlText.outside(sql)).replaceAll(""));
        if (control.find()) {
            throw new TransactionControlException(
                    "the SQL \"%s\" would begin or end a transaction that Transactions begins and ends: return from the work to commit, throw to roll back"
                            .formatted(sql.strip()));
        }
    }
}
