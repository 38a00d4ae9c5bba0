package dev.cerrojo.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Scenario files of a test, in a folder of its own. */
record ScenarioFiles(Path folder) {
    /** Two sessions each read a counter and then write it: one of the two changes is lost. */
    static final String LOST_UPDATE = """
            title: Two sessions count at the same time
            setup: |
              CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL);
              INSERT INTO counter VALUES (1, 0);
            transactions:
              count:
                params: [id]
                scope: id
                steps:
                  - read: SELECT n FROM counter WHERE id = :id
                  - write: UPDATE counter SET n = :n + 1 WHERE id = :id
            run: [count(id=1), count(id=1)]
            invariant:
              name: both_count
              says: every session is counted
              scope: counter(id)
              violated_by: SELECT id FROM counter WHERE n < 2
              watches: [counter(id)]
            """;

    static final String EXPECTATIONS = """
            expect: violated
            repairs:
              - name: one statement
                expect: holds_no_deadlock
                steps:
                  count:
                    - write: UPDATE counter SET n = n + 1 WHERE id = :id
              - name: REPEATABLE READ without retry
                expect: does_not_hold
                isolation: repeatable read
            """;

    /** One that holds: nobody reads before writing. */
    static final String HOLDS = LOST_UPDATE
            .replace("      - read: SELECT n FROM counter WHERE id = :id\n", "")
            .replace(":n + 1", "n + 1");

    /** {@return the path of a new file} */
    String file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
