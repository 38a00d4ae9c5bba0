package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads all rows of all tables, and puts rows and sequences back, in one round trip. Used by one thread at a time. */
final class ReadAndRestore {
    private final PreparedStatement both;
    private final Baseline baseline;
    private final int tables;
    private final boolean byPages;

    /**
     * Makes one.
     *
     * @param connection where the start state was kept from
     * @param compared whose rows are read
     * @param byPages whether all is written anew when the run before did not leave pages as fresh as it found them
     */
    ReadAndRestore(Connection connection, Baseline baseline, ComparedTables compared, boolean byPages)
            throws SQLException {
        this.both = connection.prepareStatement(
                compared.query() + ";" + (byPages ? baseline.restoreByPages() : Baseline.RESTORE));
        this.baseline = baseline;
        this.tables = compared.queries().size();
        this.byPages = byPages;
    }

    /**
     * Does it.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @throws SQLException if that cannot be done, also when a run did DDL
     */
    Left run(boolean anew) throws SQLException {
        if (byPages) {
            baseline.askByPages(both, anew);
        } else {
            baseline.ask(both, anew);
        }
        both.execute();
        List<List<List<@Nullable String>>> rows;
        try (ResultSet read = both.getResultSet()) {
            rows = byTable(read);
        }
        both.getMoreResults();
        try (ResultSet row = both.getResultSet()) {
            Baseline.Restored restored = byPages
                    ? baseline.restoredByPages(anew, row)
                    : new Baseline.Restored(Pages.AS_FRESH, baseline.restored(anew, row));
            return new Left(rows, restored.pages(), restored.enough());
        }
    }

    private List<List<List<@Nullable String>>> byTable(ResultSet rows) throws SQLException {
        List<List<List<@Nullable String>>> byTable = new ArrayList<>();
        for (int i = 0; i < tables; i++) {
            byTable.add(new ArrayList<>());
        }
        while (rows.next()) {
            byTable.get(rows.getInt(1))
                    .add(Arrays.asList((@Nullable String[]) rows.getArray(2).getArray()));
        }
        return byTable;
    }
}
