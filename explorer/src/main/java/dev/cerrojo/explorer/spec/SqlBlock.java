package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.scenario.Position;

/**
 * SQL between braces. It is sent as one simple query.
 *
 * @param sql one or more statements, without the blanks around; line breaks stay
 * @param at where it begins
 */
public record SqlBlock(String sql, Position at) {}
