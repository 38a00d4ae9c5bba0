package dev.cerrojo.embedded;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of one running server. The JVM that uses it holds its {@code lock}, and the operating system lets go of that
 * when the JVM ends, however it ends. So a folder whose lock is free is a leftover, and the next start removes it.
 *
 * <p>A process loses its file lock when it closes any channel to the file. The folder's name says whose it is, and a JVM
 * never opens the locks of its own folders a second time. A channel that nobody holds is closed by the garbage collector, and
 * its lock is gone too: so the supervisor's end holds it, see {@link SupervisedServer}.
 */
final class RunFolder implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RunFolder.class.getName());
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final Path path;
    private final FileChannel lock;

    private RunFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes a new one, and removes what crashed runs have left. */
    static RunFolder create(Cache cache) throws IOException {
        return cache.locked("runs.lock", () -> {
            Path runs = FileTree.create(
                    cache.root().resolve("runs"), cache.account().passage());
            removeLeftovers(runs);
            return createIn(runs, cache.account());
        });
    }

    private static RunFolder createIn(Path runs, Account account) throws IOException {
        Path path = FileTree.create(runs.resolve(owner() + UUID.randomUUID()), account.passage());
        FileChannel channel = FileChannel.open(lockOf(path), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.lock();
        return new RunFolder(path, channel);
    }

    private static String owner() {
        ProcessHandle self = ProcessHandle.current();
        long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return self.pid() + "-" + start + "-";
    }

    private static Path lockOf(Path folder) {
        return folder.resolve("lock");
    }

    private static void removeLeftovers(Path runs) throws IOException {
        try (Stream<Path> folders = Files.list(runs)) {
            folders.filter(folder -> !folder.getFileName().toString().startsWith(owner()))
                    .forEach(RunFolder::removeIfFree);
        }
    }

    /** What cannot be removed now is tried again by the next start: no reason to refuse this one. */
    private static void removeIfFree(Path folder) {
        try (FileChannel channel =
                        FileChannel.open(lockOf(folder), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            if (free != null) {
                stopServerOf(folder);
                FileTree.delete(folder);
            }
        } catch (IOException failure) {
            LOG.log(Level.DEBUG, () -> "leftover " + folder + " stays", failure);
        }
    }

    private static void stopServerOf(Path folder) throws IOException {
        PostmasterFile.in(folder.resolve("data"))
                .pid()
                .flatMap(ProcessHandle::of)
                .filter(process -> runsIn(process, folder))
                .ifPresent(server -> Shutdown.immediate(server, STOP_LIMIT));
    }

    /** A process number may have gone to another program since. */
    private static boolean runsIn(ProcessHandle process, Path folder) {
        ProcessHandle.Info info = process.info();
        return info.commandLine()
                .map(line -> line.contains(folder.toString()))
                .orElseGet(() -> info.command()
                        .filter(program -> program.contains("postgres"))
                        .isPresent());
    }

    Path path() {
        return path;
    }

    Path data() {
        return path.resolve("data");
    }

    Path log() {
        return path.resolve("server.log");
    }

    /** Lets go of the lock: whoever starts next removes what is left. */
    void unlock() {
        try {
            lock.close();
        } catch (IOException failure) {
            LOG.log(Level.DEBUG, () -> "the lock of " + path + " stays until the JVM ends", failure);
        }
    }

    /** Removes the folder. */
    @Override
    public void close() throws IOException {
        try (lock) {
            FileTree.delete(path);
        }
    }
}
