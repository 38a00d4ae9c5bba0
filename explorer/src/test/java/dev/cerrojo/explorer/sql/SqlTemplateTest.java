package dev.cerrojo.explorer.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTemplateTest {
    @Test
    void bindsEachVariableInOrder() {
        SqlTemplate sql = SqlTemplate.parse("UPDATE t SET a = :a, b = :b_2 WHERE a <> :a AND b=-:_c");

        assertThat(sql.jdbc()).isEqualTo("UPDATE t SET a = ?, b = ? WHERE a <> ? AND b=-?");
        assertThat(sql.variables()).containsExactly("a", "b_2", "a", "_c");
    }

    @Test
    void leavesQuotedTextAlone() {
        assertUnchanged("SELECT ':a', 'it''s :a', E'\\':a', e'\\\\', \":a\", U&':a', U&\":a\", B'1', x'ff'");
        assertUnchanged("SELECT $$ :a ' $$, $tag$ :a $$ ? $tag$, a$b$c");
        assertUnchanged("SELECT '\\', 'no escape'");
    }

    @Test
    void leavesCommentsAlone() {
        assertUnchanged("SELECT 1 -- :a ?\n + 1 /* :a /* nested ? */ :b */ + 2");
        assertThat(SqlTemplate.parse("SELECT 1 -- :a\n, :b").variables()).containsExactly("b");
        assertThat(SqlTemplate.parse("SELECT 1 /**/, :b").variables()).containsExactly("b");
    }

    @Test
    void leavesCastsAssignmentsAndSlicesAlone() {
        assertUnchanged("SELECT '1'::int, a[1:2], a[ : 2], f(x := 1), a[lo : hi]");
        assertThat(SqlTemplate.parse("SELECT :a::int").jdbc()).isEqualTo("SELECT ?::int");
    }

    @Test
    void readsASliceBetweenNamesAsAVariable() {
        assertThat(SqlTemplate.parse("SELECT a[lo:hi]").variables()).containsExactly("hi");
    }

    @Test
    void doublesQuestionMarkOperatorsForTheDriver() {
        assertThat(SqlTemplate.parse("SELECT s ? 'a', s ?| x, s ?& x, '?', \"?\" WHERE s ? :k")
                        .jdbc())
                .isEqualTo("SELECT s ?? 'a', s ??| x, s ??& x, '?', \"?\" WHERE s ?? ?");
    }

    @Test
    void refusesQuotesThatDoNotEnd() {
        assertUnterminated("SELECT 'a", "a string does not end: it begins with 'a");
        assertUnterminated("SELECT \"a", "a quoted identifier does not end: it begins with \"a");
        assertUnterminated("SELECT $x$ a $y$", "a dollar-quoted string does not end: it begins with $x$ a $y$");
        assertUnterminated("SELECT /* /* */", "a comment does not end: it begins with /* /* */");
        assertUnterminated("SELECT E'\\'", "a string does not end: it begins with E'\\'");
    }

    @Test
    void keepsTheOffsetsOfTokens() {
        String sql = "SELECT a.\"B c\" >= 1.5e-3, $1 FROM t";
        assertThat(SqlText.of(sql).tokens())
                .allSatisfy(token ->
                        assertThat(sql.substring(token.start(), token.end())).isEqualTo(token.text()));
        assertThat(SqlText.of(sql).tokens().stream().map(SqlToken::text))
                .containsExactly("SELECT", "a", ".", "\"B c\"", ">=", "1.5e-3", ",", "$", "1", "FROM", "t");
    }

    @Test
    void cutsOperatorsBeforeComments() {
        assertThat(SqlText.of("a +-- x\n/ /* y */ b").tokens().stream().map(SqlToken::text))
                .isEqualTo(List.of("a", "+", "/", "b"));
    }

    private static void assertUnchanged(String sql) {
        assertThat(SqlTemplate.parse(sql)).isEqualTo(new SqlTemplate(sql, sql, List.of()));
    }

    private static void assertUnterminated(String sql, String message) {
        assertThatThrownBy(() -> SqlTemplate.parse(sql))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
