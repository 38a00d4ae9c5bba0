package dev.cerrojo.explorer.database;

/**
 * The column of a table that a column of a result was read from.
 *
 * @param schema the table's schema
 * @param table the table
 * @param column its name there
 */
record ColumnOrigin(String schema, String table, String column) {}
