package dev.cerrojo.spring;

import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.invariant.GuardedScope;
import dev.cerrojo.invariant.GuardedTransactions;
import dev.cerrojo.invariant.NotProtectedException;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.OuterTransaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.TransactionWork;
import dev.cerrojo.tx.Transactions;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ObjectUtils;

/** Runs work as annotations say: the lease outside, then the transaction and its retries, then the guard, then the work. */
final class Protection {
    private final Transactions transactions;
    private final SerializationPoints points;
    private final Supplier<Leases> leases;
    private final Once once;
    private final BeanFactory beans;
    private final Map<TransactionOptions, GuardedTransactions> guarded = new ConcurrentHashMap<>();

    Protection(
            Transactions transactions,
            SerializationPoints points,
            Supplier<Leases> leases,
            IdempotencySettings idempotency,
            BeanFactory beans) {
        this.once = new Once(idempotency);
        this.transactions = transactions;
        this.points = points;
        this.leases = leases;
        this.beans = beans;
    }

    /** A call of a method: on what, and with what. */
    record Call(ProtectedMethod method, Object target, List<@Nullable Object> arguments) {}

    Optional<Object> run(Call call, TransactionWork<Optional<Object>, Exception> work) throws Exception {
        return underLease(
                call,
                call.method()
                        .once()
                        .map(wanted -> once.of(wanted, expression -> value(call, expression), work))
                        .orElse(work));
    }

    private <T extends @Nullable Object> T underLease(Call call, TransactionWork<T, Exception> work) throws Exception {
        Optional<ProtectedMethod.Lease> wanted = call.method().lease();
        if (wanted.isEmpty()) {
            return inTransaction(call, Optional.empty(), work);
        }
        try (Lease lease = leases.get().acquire(scope(call, wanted.orElseThrow()))) {
            return inTransaction(call, Optional.of(lease), work);
        }
    }

    private LeaseScope scope(Call call, ProtectedMethod.Lease lease) {
        String entity = value(call, lease.entity()).toString();
        return lease.group()
                .map(group -> LeaseScope.of(entity, value(call, group).toString()))
                .orElseGet(() -> LeaseScope.of(entity));
    }

    private <T extends @Nullable Object> T inTransaction(
            Call call, Optional<Lease> lease, TransactionWork<T, Exception> work) throws Exception {
        ProtectedMethod method = call.method();
        TransactionOptions options = options(method);
        TransactionWork<T, Exception> inner = Steps.of(method, work);
        if (method.guards().isEmpty()) {
            Transactions own = transactions.with(options);
            return lease.isPresent() ? lease.orElseThrow().callFenced(own, inner) : own.call(inner);
        }
        return guarded(options)
                .call(scopes(call), lease.map(held -> Steps.fenced(held, inner)).orElse(inner));
    }

    private GuardedTransactions guarded(TransactionOptions options) {
        return guarded.computeIfAbsent(options, some -> GuardedTransactions.over(transactions.with(some)));
    }

    private TransactionOptions options(ProtectedMethod method) {
        TransactionOptions.Builder options = transactions.options().toBuilder();
        options.outer(method.joins() ? OuterTransaction.JOIN : OuterTransaction.REFUSE);
        method.retry().stream().filter(most -> most > 0).forEach(options::maxAttempts);
        if (method.guards().stream().anyMatch(guard -> point(guard) instanceof SerializationPoint.Serializable)) {
            options.isolation(Isolation.SERIALIZABLE);
        }
        return options.build();
    }

    private List<GuardedScope> scopes(Call call) {
        return call.method().guards().stream()
                .flatMap(guard -> scopes(call, guard))
                .toList();
    }

    private Stream<GuardedScope> scopes(Call call, ProtectedMethod.Guard guard) {
        SerializationPoint point = point(guard);
        if (guard.scope().isEmpty()) {
            return Stream.of(point.globally());
        }
        return keys(value(call, guard.scope().orElseThrow())).map(key -> point.at(required(call, guard, key)));
    }

    private static Stream<?> keys(Object scope) {
        if (scope instanceof Collection<?> several) {
            return several.stream();
        }
        return scope.getClass().isArray() ? Arrays.stream(ObjectUtils.toObjectArray(scope)) : Stream.of(scope);
    }

    private static Object required(Call call, ProtectedMethod.Guard guard, @Nullable Object key) {
        if (key == null) {
            throw new NotProtectedException("a scope of invariant %s of %s is null: name a scope"
                    .formatted(guard.invariant(), call.method().name()));
        }
        return key;
    }

    private SerializationPoint point(ProtectedMethod.Guard guard) {
        return points.find(guard.invariant())
                .orElseThrow(() -> new NotProtectedException(unknown(guard.invariant(), points)));
    }

    static String unknown(String invariant, SerializationPoints points) {
        return "there is no invariant named %s, but %s: declare it as a bean of type Invariant or SerializationPoint"
                .formatted(invariant, points.names());
    }

    private Object value(Call call, Expression expression) {
        return Optional.ofNullable(
                        expression.value(call.target(), call.arguments().toArray(), beans))
                .orElseThrow(() -> new NotProtectedException(
                        "\"%s\" of %s is null, so that it names nothing to protect: check the argument before the call"
                                .formatted(expression.text(), call.method().name())));
    }

    /** Fails when a method needs what is not there. */
    void requireReady(ProtectedMethod method) {
        for (ProtectedMethod.Guard guard : method.guards()) {
            SerializationPoint point = points.find(guard.invariant())
                    .orElseThrow(() -> new IllegalArgumentException(unknown(guard.invariant(), points)));
            requireScope(guard, point);
        }
        if (method.lease().isPresent()) {
            Objects.requireNonNull(leases.get());
        }
    }

    private static void requireScope(ProtectedMethod.Guard guard, SerializationPoint point) {
        boolean perScope = point.invariant().scope() instanceof dev.cerrojo.invariant.Scope.Table;
        if (perScope != guard.scope().isPresent()) {
            throw new IllegalArgumentException(
                    perScope
                            ? "invariant %s has one instance per scope row, so @Guarded must name the scope: write scope = \"…\""
                                    .formatted(guard.invariant())
                            : "invariant %s has global scope, so @Guarded must name none: leave scope out"
                                    .formatted(guard.invariant()));
        }
    }
}
