package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The folder of what is made once and used by every later start. What it makes is made in a folder beside its place, under
 * a lock between processes, and appears by one rename: a reader sees all of it or nothing.
 */
record Cache(Path root, Account account) {
    /** A process holds a file lock as a whole, so its own threads need this lock before that one. */
    private static final ReentrantLock THIS_PROCESS = new ReentrantLock();

    private static final String HALF_MADE = ".making-";

    /** Makes something in an empty folder that exists. */
    interface Maker {
        void make(Path folder) throws IOException;
    }

    /** Does something while the cache is locked. */
    interface Action<T> {
        T run() throws IOException;
    }

    static Cache open(Optional<Path> folder, Account account) throws IOException {
        Path root = folder.orElseGet(() -> defaultFolder(System.getenv(), Platform.current(), account));
        try {
            return new Cache(FileTree.create(root.toAbsolutePath(), account.passage()), account);
        } catch (IOException failure) {
            throw new EmbeddedPostgresException(
                    "the cache folder %s cannot be made: set CERROJO_CACHE to a folder that is writable"
                            .formatted(root),
                    failure);
        }
    }

    static Path defaultFolder(Map<String, String> environment, Platform platform, Account account) {
        return set(environment, "CERROJO_CACHE")
                .or(() -> set(environment, "XDG_CACHE_HOME").map(caches -> caches.resolve("cerrojo")))
                .orElseGet(() -> ofPlatform(environment, platform, account));
    }

    private static Path ofPlatform(Map<String, String> environment, Platform platform, Account account) {
        Path home = Path.of(System.getProperty("user.home"));
        if (account == Account.NOBODY) {
            return Path.of("/var/cache/cerrojo"); // nobody cannot pass through the home folder of root
        }
        return switch (platform) {
            case WINDOWS_AMD64 -> set(environment, "LOCALAPPDATA").orElse(home).resolve("cerrojo");
            case MACOS_AMD64, MACOS_ARM64 -> home.resolve("Library/Caches/cerrojo");
            case LINUX_AMD64, LINUX_ARM64 -> home.resolve(".cache/cerrojo");
        };
    }

    private static Optional<Path> set(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(value -> !value.isBlank())
                .map(Path::of);
    }

    /** {@return the cached folder of that name, which is made when it is missing} */
    Path folder(String name, Maker maker) throws IOException {
        Path target = root.resolve(name);
        return Files.exists(target) ? target : locked("making.lock", () -> make(target, maker));
    }

    private Path make(Path target, Maker maker) throws IOException {
        if (!Files.exists(target)) {
            deleteHalfMade();
            Path making = FileTree.create(root.resolve(HALF_MADE + target.getFileName()), account.passage());
            maker.make(making);
            Files.move(making, target, StandardCopyOption.ATOMIC_MOVE);
        }
        return target;
    }

    private void deleteHalfMade() throws IOException {
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                if (entry.getFileName().toString().startsWith(HALF_MADE)) {
                    FileTree.delete(entry);
                }
            }
        }
    }

    /** Does something that only one thread of all processes may do at a time. */
    <T> T locked(String lock, Action<T> action) throws IOException {
        THIS_PROCESS.lock();
        try (FileChannel channel =
                        FileChannel.open(root.resolve(lock), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            return action.run();
        } finally {
            THIS_PROCESS.unlock();
        }
    }
}
