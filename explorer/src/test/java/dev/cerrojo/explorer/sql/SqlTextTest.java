package dev.cerrojo.explorer.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT :others > 0",
                "select :a = 1 AND NOT (:b OR :c IS NULL);",
                "SELECT :cid::int IS NOT NULL",
                "SELECT :status = 'pending'",
                "SELECT :status IN ('a', 'b') AND :n BETWEEN 1 AND 2",
                "SELECT cast(:x as numeric(10, 2)) > :y::double precision",
                "SELECT coalesce(:a, 0) + greatest(:b, least(:c, 1)) > nullif(:d, 0)",
                "SELECT :a IS DISTINCT FROM :b, :a IS NOT DISTINCT FROM :c",
                "SELECT CASE WHEN :a THEN :b ELSE :c END AS ok",
                "SELECT :a = ANY (ARRAY[1, 2]) AND :b = ALL('{1}'::int[])",
                "SELECT (SELECT :a) -- a comment with now()\n > 0",
                "SELECT true WHERE :a LIKE 'x%'",
                "SELECT ROW(:a, :b) = ROW(1, 2) AS \"Ok\"",
            })
    void isOverVariablesOnly(String sql) {
        assertThat(SqlText.isOverVariablesOnly(SqlTemplate.parse(sql))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT count(*) > 0 FROM t",
                "SELECT :used < usage_limit FROM promotions",
                "SELECT now() < :x",
                "SELECT pg_catalog.lower(:x) = 'a'",
                "SELECT \"lower\"(:x) = 'a'",
                "SELECT my_check(:x)",
                "SELECT CURRENT_TIMESTAMP > :x::timestamptz",
                "SELECT LOCALTIME > :x",
                "SELECT SESSION_USER = :x",
                "SELECT user = :x",
                "SELECT 'now'::timestamptz > :x",
                "SELECT :x::regclass IS NOT NULL",
                "SELECT EXISTS (TABLE t)",
                "SELECT DISTINCT FROM t",
                "WITH x AS (SELECT 1) SELECT :a",
                "VALUES (:a)",
                "UPDATE t SET a = :a",
                "SELECT :a; SELECT :b",
                "SELECT :a UNION SELECT :b",
                "SELECT some_column",
                "SELECT t.*",
                "SELECT :a INTO x",
                "SELECT 1 AS now, now() > :x",
                "SELECT 1 AS now()",
                "",
            })
    void isFalseWhenInDoubt(String sql) {
        assertThat(SqlText.isOverVariablesOnly(SqlTemplate.parse(sql))).isFalse();
    }

    @Test
    void findsKeywordsOutsideOfParentheses() {
        SqlText text =
                SqlText.of("UPDATE t SET a = (SELECT 1 FROM u WHERE x) /* WHERE */ WHERE b = 'WHERE' RETURNING a[1]");

        assertThat(text.topLevel("where"))
                .hasValueSatisfying(
                        token -> assertThat(text.sql().substring(token.start())).startsWith("WHERE b ="));
        assertThat(text.topLevel("from")).isEmpty();
        assertThat(text.has("from")).isTrue();
        assertThat(text.topLevel("RETURNING", "WHERE").orElseThrow().text()).isEqualTo("WHERE");
        assertThat(text.firstWord()).isEqualTo("UPDATE");
    }

    @Test
    void quotedIdentifiersAreNoKeywords() {
        assertThat(SqlText.of("SELECT \"from\" \"where\"").topLevel("from", "where"))
                .isEmpty();
    }
}
