package dev.cerrojo.lease;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The notifications that a connection of PostgreSQL's driver gets. JDBC has no word for them, and core depends on no driver: so by the
 * names of the driver's interfaces.
 *
 * @param driver the driver's connection
 * @param get its {@code getNotifications(int)}
 * @param payload {@code PGNotification.getParameter()}
 */
record Notifications(Object driver, Method get, Method payload) {
    /** {@return those of a connection; empty when its driver is another one} */
    static Optional<Notifications> of(Connection connection) {
        return Stream.of(
                        connection.getClass().getClassLoader(),
                        Thread.currentThread().getContextClassLoader())
                .flatMap(loader -> of(connection, loader).stream())
                .findFirst();
    }

    private static Optional<Notifications> of(Connection connection, @Nullable ClassLoader loader) {
        try {
            Class<?> type = Class.forName("org.postgresql.PGConnection", false, loader);
            Class<?> notification = Class.forName("org.postgresql.PGNotification", false, loader);
            return Optional.of(new Notifications(
                    connection.unwrap(type),
                    type.getMethod("getNotifications", int.class),
                    notification.getMethod("getParameter")));
        } catch (ReflectiveOperationException | SQLException otherDriver) {
            return Optional.empty();
        }
    }

    /** {@return the payloads of those that have come, or come within a time; none if there are none} */
    List<String> await(Duration time) throws SQLException {
        Object[] come = (Object[]) invoke(get, driver, Math.toIntExact(time.toMillis()));
        List<String> payloads = new ArrayList<>();
        for (Object notification : come == null ? new Object[0] : come) {
            payloads.add(String.valueOf(invoke(payload, notification)));
        }
        return payloads;
    }

    private static @Nullable Object invoke(Method method, Object target, Object... arguments) throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SQLException sql ? sql : new SQLException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new SQLException("the driver does not let its notifications be read", e);
        }
    }
}
