package dev.cerrojo.explorer.tests.invariants;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.Guards;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** What the service's start does with its database. */
public final class RotaDatabase {
    private static final Guard COVERAGE = Guard.of(Rota.COVERAGE, GuardOptions.defaults());

    private final DataSource dataSource;

    public RotaDatabase(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public void ready() throws SQLException {
        Schema.over(dataSource).ready(SchemaMode.CREATE);
        Guards.over(dataSource).install(COVERAGE, Installation.defaults());
    }

    public List<Finding> drift() throws SQLException {
        return Guards.over(dataSource).verify(COVERAGE);
    }
}
