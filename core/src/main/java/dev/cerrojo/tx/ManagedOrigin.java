package dev.cerrojo.tx;

import java.sql.SQLException;
import java.util.Optional;

/** Transactions of a framework. */
record ManagedOrigin(TransactionSource source) implements Origin {
    /** The framework's own transaction. */
    private record Joined(Optional<Transaction> joined) implements Begun {}

    @Override
    public Begun begin(TransactionOptions options, Progress progress) throws SQLException {
        Optional<Transaction> open = source.open();
        if (open.isPresent()) {
            ((JoinedTransaction) open.orElseThrow()).failUnless(options);
            return new Joined(open);
        }
        return new Own(new ManagedEnding(begun(options, progress)));
    }

    private ManagedTransaction begun(TransactionOptions options, Progress progress) {
        try {
            return source.begin(options, progress.remaining());
        } catch (SQLException e) {
            throw DataSourceOrigin.withoutConnection(e);
        }
    }
}
