package dev.cerrojo.internal;

import dev.cerrojo.Actor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The setting by which a transaction tells triggers who acts. It is local to the transaction, so that it ends with it,
 * behind a connection pooler too.
 */
public final class ActorSetting {
    /** The name of the setting. */
    public static final String NAME = "cerrojo.actor";

    /** An SQL expression: {@code editor} or {@code system}; NULL when the transaction tells nothing. */
    public static final String EXPRESSION = "nullif(current_setting('cerrojo.actor', true), '')";

    private static final String SET = "SELECT set_config('cerrojo.actor', ?, true)";

    private ActorSetting() {}

    /** Says who acts from here to the end of the transaction; one round trip. Like each SELECT it takes the snapshot above READ COMMITTED. */
    public static void say(Connection connection, Actor actor) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SET)) {
            statement.setString(1, actor.label());
            statement.execute();
        }
    }
}
