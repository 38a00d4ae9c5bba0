package dev.cerrojo.explorer.spec;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Connections that are opened on a thread of their own, while their user still does something else. */
final class ConnectionsAhead implements AutoCloseable {
    private final Queue<CompletableFuture<SpecConnection>> opening = new ArrayDeque<>();
    private String url = "";

    /** Begins to open some, all to one URL. */
    void open(String to, int number) {
        url = to;
        List<CompletableFuture<SpecConnection>> made = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            made.add(new CompletableFuture<>());
        }
        opening.addAll(made);
        Thread thread = new Thread(() -> made.forEach(one -> complete(one, to)), "cerrojo-connects");
        thread.setDaemon(true);
        thread.start();
    }

    private static void complete(CompletableFuture<SpecConnection> made, String url) {
        try {
            made.complete(new SpecConnection(url));
        } catch (SQLException | RuntimeException e) {
            made.completeExceptionally(e);
        }
    }

    /** {@return one of them; nothing when none is left, or it could not be opened} */
    Optional<SpecConnection> take(String to) {
        CompletableFuture<SpecConnection> next = to.equals(url) ? opening.poll() : null;
        return next == null ? Optional.empty() : opened(next);
    }

    private static Optional<SpecConnection> opened(CompletableFuture<SpecConnection> one) {
        try {
            return Optional.of(one.join());
        } catch (CompletionException e) {
            // whoever needs it tries again, and is told why
            return Optional.empty();
        }
    }

    /** Closes those that nobody took. */
    @Override
    public void close() {
        opening.forEach(one -> opened(one).ifPresent(SpecConnection::close));
        opening.clear();
    }
}
