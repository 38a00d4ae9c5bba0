package dev.cerrojo.explorer.jdbc;

import java.lang.reflect.Method;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a connection says of its database. What the driver asks the server for is a step: it begins a transaction and takes a
 * snapshot as any query does.
 */
final class GatedMetaData extends Forwarding<DatabaseMetaData> {
    private static final Set<String> ASKING = Set.of("getSQLKeywords", "getDefaultTransactionIsolation");

    private final GatedConnection owner;

    GatedMetaData(GatedConnection owner, DatabaseMetaData real) {
        super(DatabaseMetaData.class, real);
        this.owner = owner;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("getConnection")) {
            return owner.proxy();
        }
        return asks(method)
                ? owner.runIfSession(method.getName(), () -> forward(method, arguments))
                : forward(method, arguments);
    }

    private static boolean asks(Method method) {
        return method.getReturnType() == ResultSet.class
                || method.getName().startsWith("getMax")
                || ASKING.contains(method.getName());
    }
}
