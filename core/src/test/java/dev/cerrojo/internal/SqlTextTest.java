package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXISTS (SELECT 1 FROM x)",
                "id IN (select id from x)",
                "EXISTS (TABLE x)",
                "a = 'x' AND (SELECT true)",
                "a = 'it''s' OR (SELECT true)",
                "/* c */SELECT 1",
                "$$x$$ = (SELECT a)",
                "a = E'\\'' OR EXISTS (SELECT 1)",
                "-- c\nEXISTS (SELECT 1)"
            })
    void seesSubQueries(String text) {
        assertThat(SqlText.hasSubQuery(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "active",
                "kind = 'SELECT'",
                "kind = 'it''s a SELECT'",
                "\"select\"",
                "\"a \"\" select\" = 1",
                "active -- SELECT",
                "active /* (SELECT /* nested */ SELECT */ AND qualified",
                "a = $$ SELECT $$",
                "a = $tag$ SELECT $$ $tag$",
                "selected AND select_all",
                "a = E'\\' SELECT '"
            })
    void isNotFooledByQuotesAndComments(String text) {
        assertThat(SqlText.hasSubQuery(text)).isFalse();
        assertThat(SqlText.problemOfExpression(text)).isEmpty();
    }

    @Test
    void saysWhatIsWrongWithAnExpression() {
        assertThat(SqlText.problemOfExpression(" ")).hasValue("is empty");
        assertThat(SqlText.problemOfExpression("-- nothing")).hasValue("is empty");
        assertThat(SqlText.problemOfExpression("a; b")).hasValue("has a semicolon");
        assertThat(SqlText.problemOfExpression("a) OR (b")).hasValue("has parentheses that do not match");
        assertThat(SqlText.problemOfExpression("(a")).hasValue("has parentheses that do not match");
        assertThat(SqlText.problemOfExpression("a = ')' OR (b)")).isEmpty();
        for (String open :
                new String[] {"a = 'x", "a = 'x''", "\"a", "a = E'\\'", "a /* b", "a /* /* */", "$x$ a $y$"}) {
            assertThat(SqlText.problemOfExpression(open)).hasValue("has a quote or comment that does not end");
        }
    }

    @Test
    void aQueryMayEndWithASemicolon() {
        assertThat(SqlText.problemOfQuery("SELECT 1;\n")).isEmpty();
        assertThat(SqlText.problemOfQuery("SELECT 1; SELECT 2")).hasValue("has a semicolon");
        assertThat(SqlText.problemOfQuery(";")).hasValue("is empty");
        assertThat(SqlText.withoutTrailingSemicolon("SELECT ';' ; -- done\n")).isEqualTo("SELECT ';'");
        assertThat(SqlText.withoutTrailingSemicolon("SELECT 1 -- one; two")).isEqualTo("SELECT 1 -- one; two");
    }

    @Test
    void aCommentAtTheEndDoesNotSwallowTheParenthesis() {
        assertThat(SqlText.parenthesized(" a ")).isEqualTo("(a)");
        assertThat(SqlText.parenthesized("a -- why")).isEqualTo("(a -- why\n)");
    }

    @Test
    void replacesVariablesOutsideOfQuotesAndCasts() {
        assertThat(SqlText.replaceVariables("hashtext(:scope::text || ':scope') -- :scope", name -> "<" + name + ">"))
                .isEqualTo("hashtext(<scope>::text || ':scope') -- :scope");
    }

    @Test
    void namesAreReadAsPostgresReadsThem() {
        assertThat(SqlText.names("Active AND \"The \"\"Role\"\"\" = 'admin' AND x::text <> $$y$$ -- z"))
                .containsExactly("active", "and", "The \"Role\"", "x");
    }

    @Test
    void readsLongStringsWithoutOverflow() {
        String text = "a = '" + "x''".repeat(100_000) + "'";

        assertThat(SqlText.problemOfExpression(text)).isEmpty();
    }
}
