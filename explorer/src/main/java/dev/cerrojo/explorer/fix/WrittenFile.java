package dev.cerrojo.explorer.fix;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A file of a fix.
 *
 * @param path where it is
 * @param what what it is, in a few words
 * @param state what was done with it
 * @param before where the file that was there before is now, when it was replaced
 */
public record WrittenFile(Path path, String what, State state, Optional<Path> before) {
    /** What was done with a file. */
    public enum State {
        /** It was not there. */
        NEW,
        /** It was there already, the same. */
        UNCHANGED,
        /** Another was there, which was kept under another name. */
        REPLACED
    }
}
