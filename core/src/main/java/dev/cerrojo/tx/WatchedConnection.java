package dev.cerrojo.tx;

import java.lang.reflect.Method;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** The connection that the work gets. */
final class WatchedConnection extends Watched<Connection> {
    WatchedConnection(Connection real, Watch watch) {
        super(Connection.class, real, watch, null);
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "commit" -> throw refused("commit()", "return from the work, which commits");
            case "close" ->
                throw refused("close()", "leave it out: the connection is given back when the work is done");
            case "setAutoCommit" -> throw refused("setAutoCommit", "leave it out: it is off within the work");
            case "setTransactionIsolation" ->
                throw refused("setTransactionIsolation", "give the level with TransactionOptions.isolation");
            case "setReadOnly" -> throw refused("setReadOnly", "give it with TransactionOptions.readOnly");
            case "rollback" -> {
                if (arguments.length == 0) {
                    throw refused("rollback()", "throw from the work, or call rollbackOnly of the transaction");
                }
                yield succeeding(method, arguments);
            }
            case "setSavepoint", "releaseSavepoint" -> succeeding(method, arguments);
            case "prepareStatement", "prepareCall" -> {
                ControlText.refuse((String) arguments[0]);
                yield forward(method, arguments);
            }
            default -> forward(method, arguments);
        };
    }

    private @Nullable Object succeeding(Method method, Object[] arguments) throws Throwable {
        Object result = forward(method, arguments);
        watch().succeeded();
        return result;
    }

    private static TransactionControlException refused(String call, String instead) {
        return new TransactionControlException(
                "%s is refused on the connection of a transaction that belongs to Transactions: %s"
                        .formatted(call, instead));
    }
}
