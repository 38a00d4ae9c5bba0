package dev.cerrojo.storm;

import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Organizations and their members, who must never be left without an administrator; and the platform, likewise. */
final class Backoffice {
    static final int ORGANIZATIONS = 50;
    static final int MEMBERS = 4;

    static final Invariant ADMINISTRATORS = Invariant.named("organization_administrator")
            .says("every open organization keeps an active administrator")
            .per("organization", "id")
            .where("open")
            .atLeast(1, Rows.of("member").by("organization").where("active AND role = 'administrator'"));

    static final Invariant OPERATORS = Invariant.named("platform_operator")
            .says("the platform keeps an active operator")
            .atLeast(1, Rows.of("member").where("active AND role = 'operator'"));

    static final List<Invariant> INVARIANTS = List.of(ADMINISTRATORS, OPERATORS);

    private Backoffice() {}

    static void create(String url) throws SQLException {
        run(url, """
                CREATE TABLE organization (id int PRIMARY KEY, open boolean NOT NULL);
                CREATE TABLE member (organization int NOT NULL REFERENCES organization ON DELETE CASCADE, name text NOT NULL,
                  role text NOT NULL, active boolean NOT NULL, PRIMARY KEY (organization, name));
                CREATE TABLE ledger (operation uuid NOT NULL);
                INSERT INTO organization SELECT n, true FROM generate_series(0, %d) AS n;
                INSERT INTO member SELECT o.id, 'm' || n, CASE WHEN n < 3 THEN 'administrator' ELSE 'operator' END, true
                  FROM organization AS o, generate_series(0, %d) AS n;
                UPDATE member SET active = false WHERE role = 'operator' AND organization > 3;
                """.formatted(ORGANIZATIONS - 1, MEMBERS - 1));
    }

    static void guard(String url) throws SQLException {
        for (Invariant invariant : INVARIANTS) {
            run(url, TriggerGuard.of(invariant, GuardOptions.defaults()).installSql());
        }
    }

    static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
