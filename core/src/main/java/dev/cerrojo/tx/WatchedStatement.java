package dev.cerrojo.tx;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement that is cancelled at the deadline, and refused when it would end the transaction. */
final class WatchedStatement<S> extends Watched<S> {
    WatchedStatement(Class<S> type, S real, Watch watch, Watched<?> maker) {
        super(type, real, watch, maker);
    }

    @Override
    @Nullable
    Object call(Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.startsWith("execute")) {
            return execute(method, arguments);
        }
        if (name.equals("addBatch") && arguments.length == 1) {
            ControlText.refuse((String) arguments[0]);
        }
        return super.call(method, arguments);
    }

    private @Nullable Object execute(Method method, Object[] arguments) throws Throwable {
        if (arguments.length > 0) {
            ControlText.refuse((String) arguments[0]);
        }
        watch().failIfEnded();
        watch().running((Statement) real());
        Object result = forward(method, arguments);
        if (!isEmptyBatch(result)) {
            watch().succeeded();
        }
        return result;
    }

    private static boolean isEmptyBatch(@Nullable Object result) {
        return result != null && result.getClass().isArray() && Array.getLength(result) == 0;
    }
}
