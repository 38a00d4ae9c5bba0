package dev.cerrojo.explorer.schedule;

/**
 * One thing that a turn did: the step of the session that had it, or the rest of a step that it let go on.
 *
 * @param session whose step
 * @param step the step
 * @param footprint what it touched; of a COMMIT or ROLLBACK, what its transaction had
 */
public record Effect(int session, StepInfo step, Footprint footprint) {}
