package dev.cerrojo.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes names and literals as SQL text: the only place that does. */
public final class Identifiers {
    /** How many bytes of a name PostgreSQL keeps ({@code NAMEDATALEN - 1}). */
    public static final int MAX_BYTES = 63;

    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");
    private static final int HASH_DIGITS = 8;

    /** Every keyword of PostgreSQL 14 to 18 that is not "unreserved" (documentation, appendix C), as quote_ident does. */
    private static final Set<String> KEYWORDS = Set.of("""
            all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both \
            case cast char character check coalesce collate collation column concurrently constraint create cross \
            current_catalog current_date current_role current_schema current_time current_timestamp current_user dec \
            decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign \
            freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect \
            interval into is isnull join json json_array json_arrayagg json_exists json_object json_objectagg \
            json_query json_scalar json_serialize json_table json_value lateral leading least left like limit \
            localtime localtimestamp merge_action national natural nchar none normalize not notnull null nullif \
            numeric offset on only or order out outer overlaps overlay placing position precision primary real \
            references returning right row select session_user setof similar smallint some substring symmetric \
            system_user table tablesample then time timestamp to trailing treat trim true union unique user using \
            values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists \
            xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable\
            """.split(" "));

    private Identifiers() {}

    /** {@return the name as SQL text, in quotes where PostgreSQL needs them: {@code shift}, {@code "user"}} */
    public static String quote(String name) {
        if (PLAIN.matcher(name).matches() && !KEYWORDS.contains(name)) {
            return name;
        }
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** {@return the text as an SQL string literal, whatever {@code standard_conforming_strings} is} */
    public static String quoteLiteral(String text) {
        String doubled = text.replace("'", "''");
        return text.indexOf('\\') < 0 ? "'" + doubled + "'" : "E'" + doubled.replace("\\", "\\\\") + "'";
    }

    /** {@return the text between dollar quotes, with a tag that it does not contain} */
    public static String dollarQuote(String text) {
        String tag = "$cerrojo$";
        for (int n = 1; text.contains(tag); n++) {
            tag = "$cerrojo" + n + "$";
        }
        return tag + text + tag;
    }

    /** {@return the name itself, or as much of it as PostgreSQL keeps, ending with a hash of all of it} */
    public static String bounded(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_BYTES) {
            return name;
        }
        return first(name, MAX_BYTES - HASH_DIGITS - 1)
                + '_'
                + HexFormat.of().formatHex(sha256(name)).substring(0, HASH_DIGITS);
    }

    /** {@return as much of the name as PostgreSQL keeps: whole characters} */
    static String kept(String name) {
        return first(name, MAX_BYTES);
    }

    private static String first(String name, int bytes) {
        int end = name.length();
        while (name.substring(0, end).getBytes(StandardCharsets.UTF_8).length > bytes
                || (end > 0 && Character.isHighSurrogate(name.charAt(end - 1)))) {
            end--;
        }
        return name.substring(0, end);
    }

    /** {@return the SHA-256 digest of the text in UTF-8, 32 bytes} */
    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must have SHA-256", e);
        }
    }
}
