package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Search;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A variable means what a literal in its place would mean, whatever the column; what it cannot mean is an error. */
class BindingPostgresTest {
    private static final String SETUP = """
            setup: |
              CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE TYPE pair AS (x int, y text);
              CREATE DOMAIN positive AS int CHECK (VALUE > 0);
              CREATE SCHEMA elsewhere; CREATE TYPE elsewhere.light AS ENUM ('on', 'off');
              CREATE TABLE typed (
                "int" int, smallint smallint, bigint bigint, numeric numeric, price numeric(6,2), float8 float8, float4 float4,
                text text, varchar varchar(3), char char(3), uuid uuid, timestamptz timestamptz, "timestamp" timestamp,
                date date, "time" time, "interval" interval, bool boolean, json json, jsonb jsonb, ints int[], texts text[],
                mood mood, moods mood[], pair pair, positive positive, bytea bytea, inet inet, range int4range, xml xml,
                light elsewhere.light, name name, oid oid, "bit" bit(3), tsvector tsvector, point point);
              CREATE TABLE copy (LIKE typed);
            """;

    private static final LastArena ARENA = new LastArena();

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    /** Runs one transaction's steps, in UTC. */
    private static Execution run(String argument, String... steps) throws SQLException {
        StringBuilder yaml = new StringBuilder(SETUP)
                .append("transactions:\n  t:\n    params: [x]\n    steps:\n")
                .append("      - write: SET LOCAL TimeZone = 'UTC'\n");
        for (String step : steps) {
            yaml.append("      - ").append(step).append('\n');
        }
        yaml.append("run: [\"t(x=")
                .append(argument.replace("\\", "\\\\").replace("\"", "\\\""))
                .append(")\", \"t(x=null)\"]\n");
        yaml.append("invariant: SELECT 1 WHERE false\n");
        Scenario scenario = ScenarioReader.read("test.yaml", yaml.toString());
        return Search.replay(
                ARENA.of(scenario).subject(scenario, scenario.runs().get(0)), List.of());
    }

    /** What the first session's last read returned. */
    private static Map<String, String> lastRead(Execution execution) {
        assertThat(execution.trace().outcomes().get(0)).isEqualTo(new Outcome.Committed());
        return execution.trace().events().stream()
                .filter(event -> event instanceof TraceEvent.Finished && event.session() == 0)
                .map(event -> ((TraceEvent.Finished) event).result())
                .filter(result -> !result.values().isEmpty())
                .reduce((first, second) -> second)
                .map(StepResult::values)
                .orElseThrow();
    }

    private static String quoted(String column) {
        return "\\\"" + column + "\\\"";
    }

    @ParameterizedTest(name = "{1} into {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "int         | 5                                      | 5",
                "int         | -5                                     | -5",
                "int         | 1.5                                    | 2",
                "int         | '7'                                    | 7",
                "smallint    | 5                                      | 5",
                "bigint      | 5                                      | 5",
                "bigint      | 9223372036854775807                    | 9223372036854775807",
                "numeric     | 5                                      | 5",
                "numeric     | 1.50                                   | 1.50",
                "numeric     | 123456789012345678901234567890.5       | 123456789012345678901234567890.5",
                "numeric     | 'NaN'                                  | NaN",
                "price       | 1.005                                  | 1.01",
                "float8      | 0.1                                    | 0.1",
                "float8      | 'Infinity'                             | Infinity",
                "float4      | 0.1                                    | 0.1",
                "text        | 'it''s; :x -- \"no\"'                  | it's; :x -- \"no\"",
                "text        | ''                                     | ``",
                "text        | 5                                      | 5",
                "text        | 1.50                                   | 1.50",
                "varchar     | 'abc'                                  | abc",
                "varchar     | 12                                     | 12",
                "char        | 'a'                                    | a",
                "uuid        | '123e4567-e89b-12d3-a456-426614174000' | 123e4567-e89b-12d3-a456-426614174000",
                "timestamptz | '2020-02-29 12:00+02'                  | 2020-02-29 10:00:00+00",
                "timestamp   | '2020-02-29 12:00'                     | 2020-02-29 12:00:00",
                "date        | '2020-02-29'                           | 2020-02-29",
                "time        | '12:00'                                | 12:00:00",
                "interval    | '1 day 2 hours'                        | 1 day 02:00:00",
                "bool        | true                                   | true",
                "bool        | false                                  | false",
                "bool        | 'yes'                                  | true",
                "json        | '{\"a\": [1, null]}'                   | {\"a\": [1, null]}",
                "jsonb       | '{\"a\": [1, null]}'                   | {\"a\": [1, null]}",
                "jsonb       | 5                                      | 5",
                "jsonb       | true                                   | true",
                "ints        | '{1,2,NULL}'                           | {1,2,NULL}",
                "texts       | '{a,\"b c\"}'                          | {a,\"b c\"}",
                "mood        | 'good'                                 | good",
                "moods       | '{good,bad}'                           | {good,bad}",
                "pair        | '(1,two)'                              | (1,two)",
                "positive    | 5                                      | 5",
                "bytea       | '\\x00ff'                              | \\x00ff",
                "inet        | '10.0.0.1/8'                           | 10.0.0.1/8",
                "range       | '[1,5)'                                | [1,5)",
                "xml         | '<a/>'                                 | <a/>",
                "light       | 'on'                                   | on",
                "name        | 'a'                                    | a",
                "oid         | 5                                      | 5",
                "bit         | '101'                                  | 101",
                "tsvector    | 'a b'                                  | 'a' 'b'",
                "point       | '(1,2)'                                | (1,2)"
            })
    void aLiteralArrivesInAColumn(String column, String literal, String stored) throws SQLException {
        Execution execution = run(
                literal,
                "write: \"INSERT INTO typed (" + quoted(column) + ") VALUES (:x)\"",
                "read: \"SELECT " + quoted(column) + "::text AS stored FROM typed\"");

        assertThat(lastRead(execution)).containsEntry("stored", stored);
    }

    private static final String COLUMNS =
            "int smallint bigint numeric price float8 float4 text varchar char uuid timestamptz"
                    + " timestamp date time interval bool json jsonb ints texts mood moods pair positive bytea inet range xml light name"
                    + " oid bit tsvector point";

    static List<String> columns() {
        return List.of(COLUMNS.split(" "));
    }

    @ParameterizedTest
    @MethodSource("columns")
    void nullIsNullInEveryColumn(String column) throws SQLException {
        Execution execution = run(
                "null",
                "write: \"INSERT INTO typed (" + quoted(column) + ") VALUES (:x)\"",
                "read: \"SELECT " + quoted(column) + " IS NULL AS empty FROM typed LIMIT 1\"");

        assertThat(lastRead(execution)).containsEntry("empty", "t");
    }

    /** What one step read, another writes: the same value, to its last digit. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "int         | 2147483647",
                "smallint    | -32768",
                "bigint      | -9223372036854775808",
                "numeric     | 0.00000000000000000000100",
                "numeric     | 'NaN'",
                "numeric     | 'Infinity'",
                "numeric     | '-Infinity'",
                "price       | 1234.50",
                "float8      | 0.1",
                "float8      | 'NaN'",
                "float8      | '-Infinity'",
                "float4      | 0.1",
                "text        | 'it''s'",
                "text        | ''",
                "char        | 'a'",
                "uuid        | '123e4567-e89b-12d3-a456-426614174000'",
                "timestamptz | '2020-02-29 12:00:00.123456+02'",
                "timestamptz | 'infinity'",
                "timestamp   | '2020-02-29 12:00'",
                "date        | '0001-01-01 BC'",
                "time        | '24:00'",
                "interval    | '1 year -2 days 03:04:05.678'",
                "bool        | true",
                "bool        | false",
                "json        | '{\"b\":1,  \"a\":1}'",
                "jsonb       | '{\"b\":1,  \"a\":1}'",
                "ints        | '{{1,2},{3,NULL}}'",
                "texts       | '{\"a,b\",\"NULL\",NULL,\"\\\"\"}'",
                "mood        | 'bad'",
                "moods       | '{bad}'",
                "pair        | '(,\"a b\")'",
                "positive    | 5",
                "bytea       | '\\x00ff'",
                "inet        | '10.0.0.1'",
                "range       | 'empty'",
                "light       | 'off'",
                "bit         | '101'",
                "int         | null",
                "numeric     | null",
                "bool        | null",
                "mood        | null",
                "ints        | null"
            })
    void aReadValueIsWrittenAsItWas(String column, String literal) throws SQLException {
        String name = quoted(column);
        Execution execution = run(
                "1",
                "write: \"INSERT INTO typed (" + name + ") SELECT " + escaped(literal) + "\"",
                "read: \"SELECT " + name + " AS v FROM typed\"",
                "write: \"INSERT INTO copy (" + name + ") VALUES (:v)\"",
                "read: \"SELECT typed." + name + "::text IS NOT DISTINCT FROM copy." + name
                        + "::text AS same FROM typed, copy LIMIT 1\"");

        assertThat(lastRead(execution)).containsEntry("same", "t");
    }

    private static String escaped(String literal) {
        return literal.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** A float4 is not the float8 of the same digits. */
    @Test
    void aReadFloatEqualsItself() throws SQLException {
        Execution execution = run(
                "1",
                "write: INSERT INTO typed (float4, float8) VALUES (0.1, 0.1)",
                "read: SELECT float4 AS four, float8 AS eight FROM typed",
                "read: SELECT count(*) AS found FROM typed WHERE float4 = :four AND float8 = :eight");

        assertThat(lastRead(execution)).containsEntry("found", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "'a'     # SELECT :x || :x AS y                                            # aa",
                "'a'     # SELECT 'b' || :x AS y                                           # ba",
                "null    # SELECT (:x IS NULL)::text AS y                                  # true",
                "2       # SELECT count(*) AS y FROM (SELECT 1 FROM generate_series(1, 5) LIMIT :x) AS s # 2",
                "3       # SELECT max(g) AS y FROM generate_series(1, :x) AS g             # 3",
                "2       # SELECT (interval '1 day' * :x)::text AS y                       # 2 days",
                "'2 h'   # SELECT (time '01:00' + :x::interval)::text AS y                 # 03:00:00",
                "'{1,3}' # SELECT count(*) AS y FROM generate_series(1, 5) AS g WHERE g = ANY (:x) # 2",
                "3       # SELECT count(*) AS y FROM generate_series(1, 5) AS g WHERE g IN (:x, 4) # 2",
                "'k'     # SELECT json_build_object('a', :x)->>'a' AS y                    # k",
                "'a'     # SELECT jsonb '{\"a\": 7}'->>:x AS y                             # 7",
                "'[1,5)' # SELECT (3 <@ :x::int4range)::text AS y                          # true",
                "5       # SELECT (:x / 2)::text AS y                                      # 2",
                "5.0     # SELECT (:x / 2)::text AS y                                      # 2.5000000000000000",
                "5000000000 # SELECT pg_typeof(:x)::text AS y                              # bigint",
                "true    # SELECT CASE WHEN :x THEN 'so' ELSE 'not so' END AS y            # so",
                "'a'     # SELECT coalesce(NULL, :x) AS y                                  # a"
            })
    void aLiteralFitsIntoAnyContext(String literal, String query, String answer) throws SQLException {
        Execution execution = run(literal, "read: \"" + escaped(query) + "\"");

        assertThat(lastRead(execution)).containsEntry("y", answer);
    }

    /** As with a literal, PostgreSQL finds out when the statement runs; the session's outcome says it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "int      | 5000000000           | 22003",
                "smallint | 40000                | 22003",
                "bigint   | 9223372036854775808  | 22003",
                "int      | 'five'               | 22P02",
                "uuid     | 'nope'               | 22P02",
                "date     | '2021-02-29'         | 22008",
                "bool     | 'perhaps'            | 22P02",
                "json     | '{'                  | 22P02",
                "ints     | '1,2'                | 22P02",
                "mood     | 'mixed'              | 22P02",
                "varchar  | 'abcd'               | 22001",
                "price    | 123456               | 22003",
                "positive | -1                   | 23514",
                "uuid     | 5                    | 22P02"
            })
    void whatDoesNotFitFailsWithItsSqlState(String column, String literal, String sqlState) throws SQLException {
        Execution execution = run(literal, "write: \"INSERT INTO typed (" + quoted(column) + ") VALUES (:x)\"");

        assertThat(execution.trace().outcomes().get(0))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.sqlState()).isEqualTo(sqlState));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "write: UPDATE nowhere SET v = :x              | relation `nowhere` does not exist",
                "write: UPDATE typed SET nothing = :x          | column `nothing` of relation `typed` does not exist",
                "check: SELECT :x                              | a check must yield one boolean",
                "check: SELECT true, false                     | a check must yield one boolean",
                "read: DELETE FROM typed                       | a read must return columns",
                "write: UPDATE typed SET point = point(:x)     | "
            })
    void whatPostgresDoesNotTakeIsRefusedBeforeAnyRun(String step, String message) {
        String expected = message == null ? "" : message.replace('`', '"');

        assertThatThrownBy(() -> run("true", step))
                .isInstanceOf(ScenarioSqlException.class)
                .hasMessageContaining("test.yaml:")
                .hasMessageContaining("steps")
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE typed SET \\\"int\\\" = 1",
                "DELETE FROM typed",
                "INSERT INTO typed (text) SELECT 'a' WHERE false"
            })
    void rowcountIsANumber(String sql) throws SQLException {
        Execution execution = run("1", "write: \"" + sql + "\"", "read: SELECT :rowcount + 0 AS changed");

        assertThat(lastRead(execution)).containsEntry("changed", "0");
    }
}
