package dev.cerrojo.explorer.fix;

import java.nio.file.Path;
import java.util.List;

/**
 * What came of writing a fix.
 *
 * @param outcome how it ended
 * @param folder where
 * @param files the files, in the order in which they are read; none unless it is written
 * @param proven what was seen of these very files, a sentence each
 * @param notes what is not proven, not written or not needed, and why, a sentence each
 */
public record WrittenFix(
        Outcome outcome, Path folder, List<WrittenFile> files, List<String> proven, List<String> notes) {
    /** Copies the lists. */
    public WrittenFix {
        files = List.copyOf(files);
        proven = List.copyOf(proven);
        notes = List.copyOf(notes);
    }

    /** How it ended. */
    public enum Outcome {
        /** The files are in the folder, and proven. */
        WRITTEN,
        /** Nothing was written: the scenario holds as it stands. */
        NOT_NEEDED,
        /** Nothing was written: no candidate holds, or none that can be written. */
        NO_REPAIR,
        /** Nothing was written: what would have been does not do what it should. */
        NOT_PROVEN,
        /** Nothing was written: a bound was hit before it was decided. */
        INCONCLUSIVE
    }
}
