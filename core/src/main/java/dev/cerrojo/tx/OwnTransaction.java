package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A transaction that {@link Attempt} began, and will end. */
final class OwnTransaction implements Transaction {
    private final WatchedConnection connection;
    private final int attempt;
    private final List<Runnable> actions = new ArrayList<>();
    private final AtomicReference<@Nullable String> rollbackReason = new AtomicReference<>();

    OwnTransaction(WatchedConnection connection, int attempt) {
        this.connection = connection;
        this.attempt = attempt;
    }

    @Override
    public Connection connection() {
        return connection.proxy();
    }

    @Override
    public Isolation isolation() throws SQLException {
        return Isolation.of(connection());
    }

    @Override
    public boolean isJoined() {
        return false;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public Optional<Duration> remaining() {
        return connection.watch().progress().remaining();
    }

    @Override
    public void afterCommit(Runnable action) {
        connection.watch().failIfEnded();
        actions.add(action);
    }

    @Override
    public void rollbackOnly(String reason) {
        rollbackReason.compareAndSet(null, reason);
    }

    /** {@return why it must not be committed, by the first who said so} */
    Optional<String> rollbackReason() {
        return Optional.ofNullable(rollbackReason.get());
    }

    List<Runnable> actions() {
        return actions;
    }
}
