package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.fix.WrittenFile.State;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files on their way into a folder. They wait in a folder of their own inside of it, under names that no migration tool
 * takes for migrations, and are moved to their places all or none.
 */
final class Staging implements AutoCloseable {
    private static final String UNPROVEN = ".unproven";

    private final Path folder;
    private final Path waiting;

    /** Folders that were made for this, the innermost first. */
    private final List<Path> made;

    /** Name → what it is. */
    private final Map<String, String> names = new LinkedHashMap<>();

    private Staging(Path folder, Path waiting, List<Path> made) {
        this.folder = folder;
        this.waiting = waiting;
        this.made = made;
    }

    static Staging in(Path folder) throws IOException {
        List<Path> made = new ArrayList<>();
        for (Path each = folder.toAbsolutePath(); each != null && !Files.exists(each); each = each.getParent()) {
            made.add(each);
        }
        try {
            Files.createDirectories(folder);
            return new Staging(folder, Files.createTempDirectory(folder, ".cerrojo-"), made);
        } catch (IOException e) {
            remove(made);
            throw e;
        }
    }

    void add(String name, String what, String text) throws IOException {
        Files.writeString(waiting(name), text);
        names.put(name, what);
    }

    /** {@return the text of a file that was added, from disk} */
    String read(String name) throws IOException {
        return Files.readString(waiting(name));
    }

    private Path waiting(String name) {
        return waiting.resolve(name + UNPROVEN);
    }

    /** {@return the files as they would be written now} */
    List<WrittenFile> preview() throws IOException {
        List<WrittenFile> files = new ArrayList<>();
        for (Map.Entry<String, String> entry : names.entrySet()) {
            files.add(new WrittenFile(
                    folder.resolve(entry.getKey()), entry.getValue(), state(entry.getKey()), Optional.empty()));
        }
        return files;
    }

    private State state(String name) throws IOException {
        Path target = folder.resolve(name);
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            return State.NEW;
        }
        boolean same = Files.isRegularFile(target) && Files.mismatch(target, waiting(name)) < 0;
        return same ? State.UNCHANGED : State.REPLACED;
    }

    void refuseConflicts() throws IOException, FileConflictException {
        List<Path> conflicts = preview().stream()
                .filter(file -> file.state() == State.REPLACED)
                .map(WrittenFile::path)
                .toList();
        if (!conflicts.isEmpty()) {
            throw new FileConflictException(conflicts);
        }
    }

    /** Moves all files to their places, those added first at the end. When one cannot be moved, all is as it was. */
    List<WrittenFile> publish() throws IOException {
        List<WrittenFile> files = new ArrayList<>(preview());
        Deque<Move> done = new ArrayDeque<>();
        try {
            for (int i = files.size() - 1; i >= 0; i--) {
                files.set(i, publish(files.get(i), done));
            }
            made.clear();
            return files;
        } catch (IOException | RuntimeException e) {
            undo(done, e);
            throw e;
        }
    }

    private record Move(Path from, Path to) {}

    private WrittenFile publish(WrittenFile file, Deque<Move> done) throws IOException {
        if (file.state() == State.UNCHANGED) {
            return file;
        }
        Optional<Path> before = Optional.empty();
        if (file.state() == State.REPLACED) {
            before = Optional.of(backup(file.path()));
            move(new Move(file.path(), before.orElseThrow()), done);
        }
        move(new Move(waiting(String.valueOf(file.path().getFileName())), file.path()), done);
        return new WrittenFile(file.path(), file.what(), file.state(), before);
    }

    private static Path backup(Path file) {
        Path free = file.resolveSibling(file.getFileName() + ".bak");
        for (int n = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); n++) {
            free = file.resolveSibling(file.getFileName() + ".bak" + n);
        }
        return free;
    }

    private static void move(Move move, Deque<Move> done) throws IOException {
        Files.move(move.from(), move.to());
        done.push(move);
    }

    private static void undo(Deque<Move> done, Exception failure) {
        for (Move move : done) {
            try {
                Files.move(move.to(), move.from(), StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Removes what waits, and folders that were made for nothing. */
    @Override
    public void close() throws IOException {
        try (var files = Files.list(waiting)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(waiting);
        remove(made);
    }

    private static void remove(List<Path> made) throws IOException {
        for (Path folder : made) {
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException e) {
                // somebody else uses it by now
                return;
            }
        }
    }
}
