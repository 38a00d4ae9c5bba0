package dev.cerrojo.backoffice.shifts;

/** A shift of an organization. An active one has a doctor on call at any time. */
public record Shift(long id, String name, boolean active) {}
