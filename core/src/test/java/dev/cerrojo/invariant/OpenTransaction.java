package dev.cerrojo.invariant;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A data source like that of a framework: it hands out the one connection that somebody holds, and closing that does nothing. */
final class OpenTransaction {
    private OpenTransaction() {}

    static DataSource handingOut(Connection connection) {
        ClassLoader loader = OpenTransaction.class.getClassLoader();
        Object held = Proxy.newProxyInstance(loader, new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
            try {
                return method.getName().equals("close") ? null : method.invoke(connection, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        });
        return (DataSource)
                Proxy.newProxyInstance(loader, new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> held);
    }
}
