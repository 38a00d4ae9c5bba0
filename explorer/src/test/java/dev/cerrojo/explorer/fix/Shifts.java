package dev.cerrojo.explorer.fix;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** Small scenarios, and what a repair of few candidates finds in them. */
final class Shifts {
    /** Two doctors who leave at once. */
    static final String LEAVE = """
            # Comments stay.
            title: "The last two leave: é"
            setup: |
              CREATE TABLE shift (id int PRIMARY KEY);
              CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL, active boolean NOT NULL,
                                    PRIMARY KEY (shift_id, doctor));
              INSERT INTO shift VALUES (1);
              INSERT INTO on_call VALUES (1, 'A', true), (1, 'B', true);
            transactions:
              leave:
                params: [shift, doctor]
                scope: shift
                steps:
                  - read: SELECT count(*) AS others FROM on_call WHERE shift_id = :shift AND doctor <> :doctor AND active
                  - check: SELECT :others > 0
                    else: last-doctor
                  - write: UPDATE on_call SET active = false WHERE shift_id = :shift AND doctor = :doctor
            # What is said of it.
            repairs:
              - name: nothing
                expect: does_not_hold
            expect: violated
            # Who runs.
            run:
              - leave(shift=1, doctor='A')
              - leave(shift=1, doctor='B')
            invariant:
              name: covered
              says: "every shift has a doctor"
              scope: shift(id)
              at_least: 1
              of: on_call(shift_id) where active
            """;

    /** Two bookings of one room at once. */
    static final String BOOK = """
            setup: |
              CREATE TABLE booking (room text NOT NULL, during int4range NOT NULL);
            transactions:
              book:
                params: [room]
                steps:
                  - read: SELECT count(*) AS taken FROM booking WHERE room = :room
                  - check: SELECT :taken = 0
                  - write: INSERT INTO booking VALUES (:room, '[1,5)')
            run: [book(room='a'), book(room='a')]
            invariant:
              name: one_booking
              no_overlap: booking(room WITH =, during WITH &&)
            """;

    /** A table that triggers cannot keep: the writer would see only some of its rows. */
    static final String SECURED = LEAVE.replace(
            "  INSERT INTO shift VALUES (1);",
            "  ALTER TABLE on_call ENABLE ROW LEVEL SECURITY;\n  INSERT INTO shift VALUES (1);");

    static final FixWriter.Reports REPORTS = files -> Map.of("html", "<p>report</p>\n");

    private Shifts() {}

    static Path file(Path folder, String name, String yaml) throws IOException {
        return Files.writeString(folder.resolve(name), yaml);
    }

    static RepairReport repair(Path file, String... ids) throws SQLException {
        Set<String> wanted = Set.of(ids);
        Scenario scenario = ScenarioReader.read(file);
        return new Repairer(
                        TestServer.shared(),
                        Bounds.none(),
                        Search.Mode.REDUCED,
                        Repairer.Inside.SKIPPED,
                        new Workers(1),
                        Progress.SILENT)
                .repair(scenario, candidate -> wanted.contains(candidate.id()));
    }

    static Checker checker(Bounds bounds) {
        return new Checker(TestServer.shared(), bounds, Search.Mode.REDUCED, Progress.SILENT);
    }

    static FixWriter writer(Path folder, boolean replace) {
        return new FixWriter(TestServer.shared(), checker(Bounds.none()), Repairer.Inside.SKIPPED, folder, replace);
    }
}
