package dev.cerrojo.etcd;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** etcd's API as JSON over HTTP. Asks one member as long as that answers, else the next. */
final class Gateway {
    private static final Duration SHORTEST_TRY = Duration.ofMillis(250);
    private static final long PAUSE_MILLIS = 20;

    private final HttpClient client;
    private final List<URI> endpoints;
    private final Duration answerWithin;
    private final AtomicInteger current = new AtomicInteger();

    Gateway(HttpClient client, List<URI> endpoints, Duration answerWithin) {
        this.client = client;
        this.endpoints = List.copyOf(endpoints);
        this.answerWithin = answerWithin;
    }

    HttpClient client() {
        return client;
    }

    /**
     * Asks, the members in turn until there is an answer or the time is over. Each may have done what was asked for, answer or not.
     *
     * @throws EtcdException when etcd answers with an error that another member would answer with too
     * @throws IOException when nobody answers
     */
    Answer ask(String path, String body) throws IOException {
        long start = System.nanoTime();
        while (true) {
            int member = current.get();
            try {
                return askOne(member, path, body, left(start));
            } catch (EtcdException failure) {
                if (!failure.passing()) {
                    throw failure;
                }
                next(member, start, failure);
            } catch (InterruptedIOException interrupted) {
                throw interrupted;
            } catch (IOException unreachable) {
                next(member, start, unreachable);
            }
        }
    }

    private Duration left(long start) {
        return answerWithin.minusNanos(System.nanoTime() - start);
    }

    private void next(int member, long start, IOException failure) throws IOException {
        skip(member);
        if (left(start).compareTo(SHORTEST_TRY) < 0) {
            throw failure;
        }
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    /** Has the next request go to another member, unless that has happened already. */
    void skip(int member) {
        current.compareAndSet(member, (member + 1) % endpoints.size());
    }

    int member() {
        return current.get();
    }

    private Answer askOne(int member, String path, String body, Duration left) throws IOException {
        Duration share = answerWithin.dividedBy(endpoints.size() + 1L);
        Duration limit = share.compareTo(SHORTEST_TRY) < 0 ? SHORTEST_TRY : share;
        HttpRequest request = request(member, path, body).build();
        return read(await(
                client.sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8)),
                limit.compareTo(left) < 0 ? limit : left));
    }

    /** The client's own limit goes by the clock of the process, which may be set back. */
    private static <T> T await(CompletableFuture<T> response, Duration limit) throws IOException {
        try {
            return response.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new HttpTimeoutException("no answer within %s".formatted(limit));
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        } catch (ExecutionException failure) {
            throw new IOException(String.valueOf(failure.getCause()), failure.getCause());
        } finally {
            response.cancel(true);
        }
    }

    HttpRequest.Builder request(int member, String path, String body) {
        return HttpRequest.newBuilder(endpoints.get(member).resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static Answer read(HttpResponse<String> response) throws IOException {
        try {
            Answer answer = Answer.read(response.body());
            if (response.statusCode() != 200 || answer.has("error")) {
                throw failure(answer);
            }
            return answer;
        } catch (IllegalArgumentException unreadable) {
            throw new IOException(
                    "etcd must answer in JSON, but answered %d: %s".formatted(response.statusCode(), response.body()),
                    unreadable);
        }
    }

    /** A stream's error is an object, that of a single answer a text. */
    private static EtcdException failure(Answer answer) {
        if (answer.members().get("error") instanceof Map<?, ?>) {
            Answer error = answer.object("error");
            return new EtcdException(error.text("message"), error.number("grpc_code"));
        }
        return new EtcdException(answer.text("error"), answer.number("code"));
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException failure = new InterruptedIOException("interrupted");
        failure.initCause(cause);
        return failure;
    }
}
