package dev.cerrojo.spring;

import dev.cerrojo.tx.NestedTransactionException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Stands before each method that carries annotations of Cerrojo's. */
final class ProtectionInterceptor implements MethodInterceptor {
    private final ProtectedMethods methods;
    private final Supplier<Protection> protection;
    private final Supplier<List<CallObserver>> observers;

    ProtectionInterceptor(
            ProtectedMethods methods, Supplier<Protection> protection, Supplier<List<CallObserver>> observers) {
        this.methods = methods;
        this.protection = protection;
        this.observers = observers;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = Objects.requireNonNull(invocation.getThis());
        Optional<ProtectedMethod> found = methods.find(invocation.getMethod(), AopUtils.getTargetClass(target));
        return found.isPresent() ? observed(found.orElseThrow(), invocation, target) : invocation.proceed();
    }

    private @Nullable Object observed(ProtectedMethod method, MethodInvocation invocation, Object target)
            throws Exception {
        List<CallObserver.Observed> observed =
                observers.get().stream().map(observer -> observer.begin(method)).toList();
        AtomicInteger attempts = new AtomicInteger();
        Throwable thrown = null;
        try {
            refuseNested(method);
            return protection
                    .get()
                    .run(new Protection.Call(method, target, Arrays.asList(invocation.getArguments())), transaction -> {
                        attempts.set(transaction.attempt());
                        return Optional.ofNullable(proceed(invocation));
                    })
                    .orElse(null);
        } catch (Throwable failure) {
            thrown = failure;
            throw failure;
        } finally {
            CallOutcome outcome = CallOutcome.of(thrown);
            observed.forEach(one -> one.end(outcome, attempts.get()));
        }
    }

    private static void refuseNested(ProtectedMethod method) {
        if (!method.joins() && TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new NestedTransactionException(
                    ("%s (%s) was called within the transaction %s, which is open already: it begins a transaction of its own, which may"
                                    + " run again, and that cannot be done inside another one. Call it where no transaction is open, or"
                                    + " move the annotation to the method that begins the transaction%s")
                            .formatted(
                                    method.name(),
                                    method.annotations(),
                                    TransactionSynchronizationManager.getCurrentTransactionName(),
                                    method.lease().isEmpty() && !method.guards().isEmpty()
                                            ? "; or let it take part with @Guarded(outer = JOIN)"
                                            : ""));
        }
    }

    /** A clone, since an invocation goes on only once and the work may run again. */
    private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }
}
