package dev.cerrojo.tx;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of a JDBC object of a transaction and hands it every call, but for those that a subclass takes; notes what
 * fails. So do the objects that it returns, since each of them may ask the server something. {@code unwrap} finds the object
 * behind.
 *
 * @param <T> the JDBC interface
 */
class Watched<T> implements InvocationHandler {
    private static final Object[] NOTHING = {};
    private static final Set<Class<?>> WATCHED = Set.of(
            Statement.class,
            PreparedStatement.class,
            CallableStatement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            ResultSetMetaData.class,
            ParameterMetaData.class,
            Array.class,
            Blob.class,
            Clob.class,
            NClob.class);

    private final T real;
    private final T proxy;
    private final Watch watch;
    private final @Nullable Watched<?> maker;

    /**
     * Makes one.
     *
     * @param maker what returned the real object; none for a connection
     */
    Watched(Class<T> type, T real, Watch watch, @Nullable Watched<?> maker) {
        this.real = real;
        this.watch = watch;
        this.maker = maker;
        this.proxy = type.cast(Proxy.newProxyInstance(Watched.class.getClassLoader(), new Class<?>[] {type}, this));
    }

    final T real() {
        return real;
    }

    /** {@return what users get to see} */
    final T proxy() {
        return proxy;
    }

    final Watch watch() {
        return watch;
    }

    @Override
    public final @Nullable Object invoke(Object self, Method method, Object @Nullable [] given) throws Throwable {
        Object[] arguments = given == null ? NOTHING : given;
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> String.valueOf(real);
            case "unwrap" -> unwrap(self, (Class<?>) arguments[0], method);
            case "isWrapperFor" -> ((Class<?>) arguments[0]).isInstance(self) || isWrapperFor(method, arguments);
            default -> call(method, arguments);
        };
    }

    private @Nullable Object unwrap(Object self, Class<?> type, Method method) throws Throwable {
        if (type.isInstance(self)) {
            return self;
        }
        watch.unwrapped();
        return type.isInstance(real) ? real : forward(method, new Object[] {type});
    }

    private boolean isWrapperFor(Method method, Object[] arguments) throws Throwable {
        return ((Class<?>) arguments[0]).isInstance(real) || Boolean.TRUE.equals(forward(method, arguments));
    }

    /** Takes a call, or forwards it. */
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "getConnection" -> connection();
            case "getStatement" -> maker instanceof WatchedStatement ? maker.proxy() : forward(method, arguments);
            case "close" -> send(method, arguments);
            default -> forward(method, arguments);
        };
    }

    private Object connection() {
        Watched<?> root = this;
        while (root.maker != null) {
            root = root.maker;
        }
        return Objects.requireNonNull(root.proxy);
    }

    /** Calls the real object while the transaction lives. */
    final @Nullable Object forward(Method method, Object[] arguments) throws Throwable {
        watch.failIfEnded();
        return send(method, arguments);
    }

    private @Nullable Object send(Method method, Object[] arguments) throws Throwable {
        try {
            return watched(method.getReturnType(), method.invoke(real, reals(arguments)));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException failure) {
                watch.failed(failure);
            }
            throw e.getCause();
        }
    }

    /** The driver takes only objects of its own. Without a stream, since each value of a result comes by here. */
    private static Object[] reals(Object[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (realOf(arguments[i]) != arguments[i]) {
                return Arrays.stream(arguments).map(Watched::realOf).toArray();
            }
        }
        return arguments;
    }

    private static @Nullable Object realOf(@Nullable Object argument) {
        return argument != null
                        && Proxy.isProxyClass(argument.getClass())
                        && Proxy.getInvocationHandler(argument) instanceof Watched<?> watched
                ? watched.real
                : argument;
    }

    private @Nullable Object watched(Class<?> type, @Nullable Object value) {
        return value == null || !WATCHED.contains(type) ? value : made(type, value);
    }

    private <S> Object made(Class<S> type, Object value) {
        Watched<S> made = Statement.class.isAssignableFrom(type)
                ? new WatchedStatement<>(type, type.cast(value), watch, this)
                : new Watched<>(type, type.cast(value), watch, this);
        return Objects.requireNonNull(made.proxy);
    }
}
