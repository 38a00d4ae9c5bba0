package dev.cerrojo.backoffice.security;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.stereotype.Component;

/** Finds users of the platform and of organizations by email. Asked with each request, so that nobody outlives a deactivation. */
@Component
class Accounts implements UserDetailsService {
    private static final String PLATFORM = """
            SELECT u.id, u.email, u.password_hash, u.active, r.creates_platform_users, r.manages_users
            FROM platform_user u JOIN platform_role r ON r.name = u.role WHERE u.email = ?""";

    private static final String TENANT = """
            SELECT id, email, password_hash, active, organization_id, role = 'manager' AS manager
            FROM tenant_user WHERE email = ?""";

    private final JdbcClient jdbc;

    Accounts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public UserDetails loadUserByUsername(String email) {
        return jdbc.sql(PLATFORM)
                .param(email)
                .query((row, number) -> platform(row))
                .optional()
                .or(() -> jdbc.sql(TENANT)
                        .param(email)
                        .query((row, number) -> tenant(row))
                        .optional())
                .orElseThrow(() -> new UsernameNotFoundException("nobody has this email"));
    }

    private static Account platform(ResultSet row) throws SQLException {
        return Account.platform(
                row.getObject("id", UUID.class),
                row.getString("email"),
                row.getString("password_hash"),
                row.getBoolean("active"),
                row.getBoolean("creates_platform_users"),
                row.getBoolean("manages_users"));
    }

    private static Account tenant(ResultSet row) throws SQLException {
        return Account.tenant(
                row.getObject("id", UUID.class),
                row.getString("email"),
                row.getString("password_hash"),
                row.getBoolean("active"),
                row.getObject("organization_id", UUID.class),
                row.getBoolean("manager"));
    }
}
