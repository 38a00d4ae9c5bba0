package dev.cerrojo.internal;

/**
 * The types that a scope's key may have.
 *
 * <p>Guard rows and advisory keys are made of the scope as text. That is one per scope only where equal values are
 * always written the same; not so numeric (1.0 and 1.00), citext, or a timestamp in another time zone.
 */
public final class ScopeTypes {
    /**
     * SQL: which types can be told apart together, or NULL where equal values may be written differently.
     *
     * <p>It reads {@code s}, with the column's type modifier {@code mod}, and what {@link #JOINS} adds to it.
     */
    public static final String KIND = """
            CASE
              WHEN b.oid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
              WHEN b.oid IN ('text'::regtype, 'varchar'::regtype)
                AND coalesce(l.collisdeterministic, true) THEN 'text'
              WHEN b.oid = 'numeric'::regtype AND s.mod <> -1 THEN format_type(b.oid, s.mod)
              WHEN b.oid IN ('uuid'::regtype, 'bool'::regtype, 'date'::regtype) OR b.typtype = 'e'
                THEN format_type(b.oid, -1)
            END""";

    /**
     * SQL: joins {@code s}, with a column's {@code type} and {@code collation}, with {@code t}, its row of {@code pg_type};
     * {@code b}, the same or that of a domain's base type; and {@code l}, its row of {@code pg_collation} or none.
     */
    public static final String JOINS = """
            JOIN pg_type AS t ON t.oid = s.type
            JOIN pg_type AS b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
            LEFT JOIN pg_collation AS l ON l.oid = s.collation""";

    /** In words: what is allowed beside integers and text. */
    public static final String OTHERS = "uuid, boolean, date, an enum or numeric(p, s)";

    private ScopeTypes() {}
}
