package dev.cerrojo.explorer.fix;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Files are there already and differ from what would be written. Nothing was written. */
public final class FileConflictException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Path> files;

    FileConflictException(List<Path> files) {
        super(files.stream().map(Path::toString).collect(Collectors.joining(", "))
                + (files.size() == 1 ? " is there already and differs" : " are there already and differ")
                + ": look at it first, a migration that was applied must stay as it is; --force replaces, and keeps what was"
                + " there as NAME.bak");
        this.files = List.copyOf(files);
    }

    /** {@return the files} */
    public List<Path> files() {
        return files;
    }
}
