package dev.cerrojo.testsupport.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A clock of processes, by libfaketime, that can be set while they run. Only the time of day is set: the clock that only goes forward
 * stays the machine's. A test that asks for one is skipped where libfaketime is missing.
 *
 * <p>A JVM gets on under it because {@code FAKETIME_FORCE_MONOTONIC_FIX} is off: with it, libfaketime changes the times until which
 * threads wait, which are of the clock that it was told to leave alone, and they wait for nothing or far too long.
 */
public final class FakeClock implements AutoCloseable {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

    private final Path library;
    private final Path setting;

    private FakeClock(Path library, Path setting) {
        this.library = library;
        this.setting = setting;
    }

    /** {@return a clock that is right, or nothing where libfaketime is missing} */
    public static Optional<FakeClock> create() {
        return LIBRARIES.stream().filter(Files::exists).findFirst().map(library -> {
            FakeClock clock = new FakeClock(library, file());
            clock.shift(Duration.ZERO);
            return clock;
        });
    }

    private static Path file() {
        try {
            return Files.createTempFile("cerrojo-clock-", ".txt");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** {@return the variables of a process that has this clock} */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", setting.toString(),
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "FAKETIME_NO_CACHE", "1");
    }

    /** Sets it so far before the machine's, or after it when that is negative. Processes see it the next time they ask. */
    public void shift(Duration ahead) {
        try {
            Path next = Files.writeString(setting.resolveSibling(setting.getFileName() + ".next"), offset(ahead));
            Files.move(next, setting, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String offset(Duration ahead) {
        return "%+d\n".formatted(ahead.toSeconds());
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(setting);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
