package dev.cerrojo.tx;

import dev.cerrojo.testsupport.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source that hands out one connection, as it is, and counts whether it was given back. */
public final class OneConnection implements AutoCloseable {
    private final Connection real;
    private int taken;
    private int givenBack;

    OneConnection(TestDatabase database) throws SQLException {
        this(database.connect());
    }

    public OneConnection(Connection real) {
        this.real = real;
    }

    Connection real() {
        return real;
    }

    public boolean isGivenBack() {
        return taken > 0 && taken == givenBack;
    }

    public DataSource dataSource() {
        return proxy(DataSource.class, (name, call) -> {
            taken++;
            return lent();
        });
    }

    private Connection lent() {
        return proxy(Connection.class, (name, call) -> {
            if (name.equals("close")) {
                givenBack++;
                return null;
            }
            return call.on(real);
        });
    }

    private interface Call {
        Object on(Object target) throws Throwable;
    }

    private interface Handler {
        Object handle(String method, Call call) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                OneConnection.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method.getName(), target -> {
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
    }

    @Override
    public void close() throws SQLException {
        real.close();
    }
}
