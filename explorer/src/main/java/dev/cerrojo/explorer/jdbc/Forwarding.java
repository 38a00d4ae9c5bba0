package dev.cerrojo.explorer.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of a JDBC object and hands it every call, but for those that a subclass takes. What the object throws comes
 * out as it was thrown. {@code unwrap} finds the object behind; what is done with that is not seen.
 *
 * @param <T> the JDBC interface
 */
abstract class Forwarding<T> implements InvocationHandler {
    private static final Object[] NOTHING = {};

    private final T real;
    private final T proxy;

    Forwarding(Class<? extends T> type, T real) {
        this.real = real;
        this.proxy = type.cast(Proxy.newProxyInstance(Forwarding.class.getClassLoader(), new Class<?>[] {type}, this));
    }

    final T real() {
        return real;
    }

    /** {@return what users get to see} */
    final T proxy() {
        return proxy;
    }

    @Override
    public final @Nullable Object invoke(Object self, Method method, Object @Nullable [] given) throws Throwable {
        Object[] arguments = given == null ? NOTHING : given;
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "gated " + real;
            case "unwrap" -> unwrap(self, (Class<?>) arguments[0], method);
            case "isWrapperFor" -> ((Class<?>) arguments[0]).isInstance(self) ? true : forward(method, arguments);
            default -> call(method, arguments);
        };
    }

    private @Nullable Object unwrap(Object self, Class<?> type, Method method) throws Throwable {
        if (type.isInstance(self)) {
            return self;
        }
        Object found = forward(method, new Object[] {type});
        unwrapped(type);
        return found;
    }

    /** Is told that the code has an object now that no gate is in front of. */
    void unwrapped(Class<?> type) {}

    /** Takes a call, or forwards it. */
    abstract @Nullable Object call(Method method, Object[] arguments) throws Throwable;

    final @Nullable Object forward(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
