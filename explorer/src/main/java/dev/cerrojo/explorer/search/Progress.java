package dev.cerrojo.explorer.search;

/** Is told how a search goes. */
@FunctionalInterface
public interface Progress {
    /** Tells nobody. */
    Progress SILENT = (schedules, violations, waiting) -> {};

    /**
     * Is called after each schedule, from the searching thread; of several searches at once, from the thread
     * of each.
     *
     * @param schedules how many were run
     * @param violations how many of them ended in a violation
     * @param waiting how many are known and not yet run; more may be found
     */
    void ran(long schedules, long violations, long waiting);
}
