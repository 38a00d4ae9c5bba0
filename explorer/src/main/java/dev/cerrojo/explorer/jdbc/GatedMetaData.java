package dev.cerrojo.explorer.jdbc;

import java.lang.reflect.Method;
import java.sql.DatabaseMetaData;
import org.jspecify.annotations.Nullable;

/** What a connection says of its database. Its queries read catalogs only, and are no steps. */
final class GatedMetaData extends Forwarding<DatabaseMetaData> {
    private final GatedConnection owner;

    GatedMetaData(GatedConnection owner, DatabaseMetaData real) {
        super(DatabaseMetaData.class, real);
        this.owner = owner;
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        return method.getName().equals("getConnection") ? owner.proxy() : forward(method, arguments);
    }
}
