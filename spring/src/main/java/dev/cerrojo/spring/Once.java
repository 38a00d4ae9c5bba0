package dev.cerrojo.spring;

import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.idempotency.IdempotentJobs;
import dev.cerrojo.idempotency.IdempotentRequests;
import dev.cerrojo.idempotency.JobKey;
import dev.cerrojo.idempotency.Reply;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.tx.TransactionWork;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Does the work of methods once per key. */
final class Once {
    private final IdempotentRequests requests;
    private final IdempotentJobs jobs;

    Once(IdempotencySettings settings) {
        this.requests = IdempotentRequests.with(settings);
        this.jobs = IdempotentJobs.with(settings);
    }

    /**
     * {@return work that is done once}
     *
     * @param value gives what an expression says of the call
     */
    TransactionWork<Optional<Object>, Exception> of(
            ProtectedMethod.Once once,
            Function<Expression, Object> value,
            TransactionWork<Optional<Object>, Exception> work) {
        Object key = value.apply(once.key());
        RequestHash payload = hash(once.payload().map(value).orElse(""));
        return once.operation().isEmpty()
                ? request((RequestKey) key, payload, work)
                : job(JobKey.of(once.operation(), key.toString()), payload, work);
    }

    private TransactionWork<Optional<Object>, Exception> request(
            RequestKey key, RequestHash payload, TransactionWork<Optional<Object>, Exception> work) {
        return transaction -> Optional.of(requests.<Exception>join(transaction, key, payload, inner -> {
            Reply reply =
                    (Reply) work.run(inner).orElseThrow(() -> new NullPointerException("the method gave no Reply"));
            return reply.response();
        }));
    }

    private TransactionWork<Optional<Object>, Exception> job(
            JobKey key, RequestHash payload, TransactionWork<Optional<Object>, Exception> work) {
        return transaction -> {
            jobs.<Exception>join(transaction, key, payload, inner -> Objects.requireNonNull(work.run(inner)));
            return Optional.empty();
        };
    }

    private static RequestHash hash(Object payload) {
        return payload instanceof byte[] bytes ? RequestHash.ofBytes(bytes) : RequestHash.ofText(payload.toString());
    }
}
