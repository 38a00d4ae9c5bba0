package dev.cerrojo.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;

/**
 * Sees to it that statements find in the database what JPA has not sent yet.
 *
 * @param real the connection that JPA uses as well
 */
record FlushingConnection(Connection real, TransactionStatus status) implements InvocationHandler {
    private static final Set<String> MAKE_STATEMENTS = Set.of("createStatement", "prepareStatement", "prepareCall");

    static Connection of(Connection real, TransactionStatus status) {
        return (Connection) Proxy.newProxyInstance(
                FlushingConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new FlushingConnection(real, status));
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        if (MAKE_STATEMENTS.contains(method.getName())) {
            status.flush();
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
