package dev.cerrojo.backoffice.platform;

import dev.cerrojo.backoffice.security.Password;
import dev.cerrojo.backoffice.web.Refusal;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What each operation does in its transaction: it looks, decides, writes. Whoever calls it sees to what runs beside it. */
@Component
class PlatformUserStatements {
    private static final String ALL = "SELECT id, email, role, active FROM platform_user ORDER BY email";

    private static final String ROLE_EXISTS = "SELECT EXISTS (SELECT FROM platform_role WHERE name = ?)";

    private static final String CREATE = """
            INSERT INTO platform_user (email, password_hash, role) VALUES (?, ?, ?)
            RETURNING id, email, role, active""";

    /** Whether the user can create others, and whether somebody else can. */
    private static final String CREATORS = """
            SELECT coalesce(bool_or(u.id = :user), false) AS is_one, coalesce(bool_or(u.id <> :user), false) AS others
            FROM platform_user u JOIN platform_role r ON r.name = u.role
            WHERE u.active AND r.creates_platform_users""";

    private static final String CAN_CREATE = "SELECT creates_platform_users FROM platform_role WHERE name = ?";

    private static final String DEACTIVATE = "UPDATE platform_user SET active = false WHERE id = ?";

    private static final String CHANGE_ROLE = "UPDATE platform_user SET role = ? WHERE id = ?";

    private final JdbcClient jdbc;

    PlatformUserStatements(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Creators(boolean isOne, boolean others) {}

    List<PlatformUser> all() {
        return jdbc.sql(ALL).query(PlatformUser.class).list();
    }

    NewPlatformUser create(String email, String role) {
        requireRole(role);
        Password password = Password.generate();
        PlatformUser user = jdbc.sql(CREATE)
                .params(email, password.hash(), role)
                .query(PlatformUser.class)
                .single();
        return new NewPlatformUser(user, password.text());
    }

    void deactivate(UUID user) {
        requireAnotherCreator(user);
        requireFound(jdbc.sql(DEACTIVATE).param(user).update());
    }

    void changeRole(UUID user, String role) {
        requireRole(role);
        if (!jdbc.sql(CAN_CREATE).param(role).query(Boolean.class).single()) {
            requireAnotherCreator(user);
        }
        requireFound(jdbc.sql(CHANGE_ROLE).params(role, user).update());
    }

    private void requireRole(String role) {
        if (!jdbc.sql(ROLE_EXISTS).param(role).query(Boolean.class).single()) {
            throw Refusal.INVALID_VALUE.refused("role must be administrator, operator or support, but was: " + role);
        }
    }

    private void requireAnotherCreator(UUID user) {
        Creators creators =
                jdbc.sql(CREATORS).param("user", user).query(Creators.class).single();
        if (creators.isOne() && !creators.others()) {
            throw Refusal.LAST_PLATFORM_ADMINISTRATOR.refused();
        }
    }

    private static void requireFound(int rows) {
        if (rows == 0) {
            throw Refusal.NOT_FOUND.refused("there is no such platform user");
        }
    }
}
