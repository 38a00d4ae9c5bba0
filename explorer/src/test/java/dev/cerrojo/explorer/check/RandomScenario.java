package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Small scenarios made by chance, out of statements that meet in every way PostgreSQL knows. All have one setup. */
final class RandomScenario {
    private static final String SETUP = """
            setup: |
              CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL, u int UNIQUE);
              CREATE TABLE b (id int PRIMARY KEY, v int NOT NULL);
              CREATE TABLE c (id int PRIMARY KEY, v int NOT NULL);
              CREATE TABLE parent (id int PRIMARY KEY, v int NOT NULL);
              CREATE TABLE child (id int PRIMARY KEY, parent_id int REFERENCES parent ON DELETE CASCADE, v int);
              CREATE TABLE numbered (id serial PRIMARY KEY, v int NOT NULL);
              CREATE TABLE log (id bigint GENERATED ALWAYS AS IDENTITY, text text);
              CREATE TABLE late (id int PRIMARY KEY, v int, UNIQUE (v) DEFERRABLE INITIALLY %s);
              CREATE TABLE parted (id int, v int, PRIMARY KEY (id)) PARTITION BY LIST (id);
              CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
              CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
              CREATE SEQUENCE loose;
              CREATE VIEW seen AS SELECT a.v + b.v AS v FROM a JOIN b USING (id);
              INSERT INTO a VALUES (1, 0, 10), (2, 0, 20);
              INSERT INTO b VALUES (1, 0), (2, 0);
              INSERT INTO c VALUES (1, 0), (2, 0);
              INSERT INTO parent VALUES (1, 0), (2, 0);
              INSERT INTO child VALUES (1, 1, 0);
              INSERT INTO late VALUES (1, 1), (2, 2);
              INSERT INTO parted VALUES (1, 0), (2, 0);
              CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO log (text) SELECT NEW.id || ' ' || count(*) FROM b WHERE v > 0; RETURN NULL; END $$;
              CREATE TRIGGER note AFTER UPDATE ON c FOR EACH ROW EXECUTE FUNCTION note();
            invariant: SELECT 1 FROM a WHERE v < 0
            """;

    private static final List<String> STATEMENTS = List.of(
            "read: SELECT sum(v) AS x FROM a",
            "read: SELECT sum(v) AS x FROM b",
            "read: SELECT v AS x FROM a WHERE id = 1",
            "read: SELECT v AS x FROM b WHERE id = 2",
            "read: SELECT sum(v) AS x FROM seen",
            "read: SELECT count(*) AS x FROM numbered",
            "read: SELECT count(*) AS x FROM child",
            "read: SELECT count(*) AS x FROM log",
            "read: SELECT sum(v) AS x FROM parted",
            "read: SELECT v AS x FROM parted WHERE id = 1",
            "read: SELECT v AS x FROM a WHERE id = 1 FOR UPDATE",
            "read: SELECT v AS x FROM a WHERE id = 2 FOR SHARE",
            "read: SELECT v AS x FROM b WHERE id = 1 FOR KEY SHARE",
            "read: SELECT id AS x FROM b ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED",
            "read: SELECT nextval('loose') AS x",
            "read: SELECT last_value AS x FROM loose",
            "write: UPDATE a SET v = v + 1 WHERE id = 1",
            "write: UPDATE a SET v = v + 1 WHERE id = 2",
            "write: UPDATE a SET v = v + 10 WHERE v = 0",
            "write: UPDATE a SET v = v + (SELECT sum(v) FROM b) WHERE id = 1",
            "write: UPDATE a SET u = 30 WHERE id = 1",
            "write: UPDATE b SET v = v + 1 WHERE id = 1",
            "write: UPDATE b SET v = 5 - v",
            "write: UPDATE b SET v = :x + 1 WHERE id = 2",
            "write: UPDATE c SET v = v + 1 WHERE id = 1",
            "write: UPDATE c SET v = v + (SELECT sum(v) FROM a) WHERE id = 2",
            "write: INSERT INTO a VALUES (3, 1, 30)",
            "write: INSERT INTO a VALUES (3, 1, 30) ON CONFLICT DO NOTHING",
            "write: INSERT INTO b VALUES (3, 1) ON CONFLICT (id) DO UPDATE SET v = b.v + 10",
            "write: INSERT INTO b SELECT max(id) + 1, 0 FROM b",
            "write: INSERT INTO numbered (v) SELECT count(*) FROM a WHERE v > 0",
            "write: DELETE FROM a WHERE id = 1",
            "write: DELETE FROM b WHERE v > 0",
            "write: INSERT INTO child VALUES (2, 2, 0)",
            "write: DELETE FROM parent WHERE id = 2",
            "write: DELETE FROM parent WHERE NOT EXISTS (SELECT FROM child WHERE parent_id = parent.id)",
            "write: UPDATE parent SET v = v + 1 WHERE id = 1",
            "write: UPDATE late SET v = 3 - v",
            "write: UPDATE late SET v = 2 WHERE id = 1",
            "write: UPDATE parted SET v = v + 1 WHERE id = 1",
            "write: UPDATE parted_2 SET v = v + 1",
            "write: LOCK TABLE a IN SHARE MODE",
            "write: LOCK TABLE a IN SHARE ROW EXCLUSIVE MODE",
            "write: LOCK TABLE b IN ACCESS EXCLUSIVE MODE",
            "write: \"/* b */ LOCK TABLE b IN EXCLUSIVE MODE\"",
            "write: SELECT pg_advisory_xact_lock(1)",
            "write: SELECT pg_advisory_xact_lock(2)",
            "write: SELECT pg_advisory_xact_lock_shared(1)",
            "write: SELECT pg_advisory_lock(3)",
            "write: TRUNCATE b",
            "write: SET LOCAL work_mem = '1MB'",
            "check: SELECT :x > 0",
            "check: SELECT count(*) > 0 FROM b WHERE v > 0",
            "commit: true",
            "write: UPDATE c SET v = v + 100 WHERE id = 1\n        autonomous: true");

    private final SplittableRandom random;

    private RandomScenario(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** {@return the scenario of a seed, as a file} */
    static String yaml(long seed) {
        return new RandomScenario(seed).yaml();
    }

    static Scenario of(long seed) {
        return ScenarioReader.read("random-" + seed + ".yaml", yaml(seed));
    }

    private String yaml() {
        int sessions = random.nextInt(3) == 0 ? 2 : 3;
        StringBuilder text = new StringBuilder(SETUP.formatted(random.nextInt(8) == 0 ? "DEFERRED" : "IMMEDIATE"));
        List<String> pool = pool(sessions);
        boolean mixed = random.nextInt(3) == 0;
        String level = level();
        text.append("transactions:\n");
        for (int i = 0; i < sessions; i++) {
            text.append("  t").append(i).append(":\n    params: [x]\n    isolation: ");
            text.append(mixed ? level() : level).append('\n');
            text.append("    retry: ").append(random.nextInt(6) == 0 ? 1 : 0).append('\n');
            text.append(random.nextInt(12) == 0 ? "    atomic: false\n" : "");
            text.append("    steps:\n");
            int steps = sessions == 2 ? 2 + random.nextInt(2) : 1 + random.nextInt(2);
            for (int step = 0; step < steps; step++) {
                text.append("      - ")
                        .append(pool.get(random.nextInt(pool.size())))
                        .append('\n');
            }
        }
        text.append("run:\n");
        for (int i = 0; i < sessions; i++) {
            text.append("  - t").append(i).append("(x=1)\n");
        }
        return text.toString();
    }

    /** Few different statements meet more often. */
    private List<String> pool(int sessions) {
        List<String> pool = new ArrayList<>();
        for (int i = 0; i < sessions * 2; i++) {
            pool.add(STATEMENTS.get(random.nextInt(STATEMENTS.size())));
        }
        return pool;
    }

    private String level() {
        return List.of("read committed", "repeatable read", "serializable").get(random.nextInt(3));
    }
}
