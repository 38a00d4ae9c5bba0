package dev.cerrojo.explorer.check;

/**
 * The moment of a violating schedule from which nothing can save the invariant: whatever order the sessions go on in.
 *
 * @param after after how many of the schedule's choices; 0 when it was lost from the start
 * @param ways in how many ways the sessions could go on from there: all were run, and every one ends violated
 */
public record Doom(int after, long ways) {}
