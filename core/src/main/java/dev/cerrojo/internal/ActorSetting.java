package dev.cerrojo.internal;

import dev.cerrojo.Actor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The setting by which a transaction tells triggers who acts. It is local to the transaction, so that it ends with it,
 * behind a connection pooler too.
 */
public final class ActorSetting {
    /** The name of the setting. */
    public static final String NAME = "cerrojo.actor";

    /** An SQL expression: {@code editor} or {@code system}; NULL when the transaction tells nothing. */
    public static final String EXPRESSION = "nullif(current_setting('cerrojo.actor', true), '')";

    private ActorSetting() {}

    /** Says who acts from here to the end of the transaction; one round trip, which takes no snapshot. */
    public static void say(Connection connection, Actor actor) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL " + NAME + " = '" + actor.label() + "'");
        }
    }
}
