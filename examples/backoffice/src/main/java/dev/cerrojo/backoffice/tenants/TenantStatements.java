package dev.cerrojo.backoffice.tenants;

import dev.cerrojo.backoffice.security.Password;
import dev.cerrojo.backoffice.web.Refusal;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What each operation does in its transaction: it looks, decides, writes. Whoever calls it sees to what runs beside it. */
@Component
class TenantStatements {
    static final String MANAGER = "manager";
    private static final List<String> ROLES = List.of(MANAGER, "member");

    private static final String ORGANIZATIONS = "SELECT id, name FROM organization ORDER BY name";

    private static final String CREATE = "INSERT INTO organization (name) VALUES (?) RETURNING id, name";

    private static final String USERS = """
            SELECT id, organization_id, email, role, active FROM tenant_user WHERE organization_id = ? ORDER BY email""";

    private static final String CREATE_USER = """
            INSERT INTO tenant_user (organization_id, email, password_hash, role)
            SELECT id, ?, ?, ? FROM organization WHERE id = ?
            RETURNING id, organization_id, email, role, active""";

    /** Whether the user is a manager, and whether somebody else is. */
    private static final String MANAGERS = """
            SELECT coalesce(bool_or(id = :user), false) AS is_one, coalesce(bool_or(id <> :user), false) AS others
            FROM tenant_user WHERE organization_id = :organization AND active AND role = 'manager'""";

    private static final String DEACTIVATE =
            "UPDATE tenant_user SET active = false WHERE organization_id = ? AND id = ?";

    private static final String CHANGE_ROLE = "UPDATE tenant_user SET role = ? WHERE organization_id = ? AND id = ?";

    private final JdbcClient jdbc;

    TenantStatements(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Managers(boolean isOne, boolean others) {}

    List<Organization> organizations() {
        return jdbc.sql(ORGANIZATIONS).query(Organization.class).list();
    }

    NewOrganization create(String name, String managerEmail) {
        Organization organization =
                jdbc.sql(CREATE).param(name).query(Organization.class).single();
        return new NewOrganization(organization, createUser(organization.id(), managerEmail, MANAGER));
    }

    List<TenantUser> users(UUID organization) {
        return jdbc.sql(USERS).param(organization).query(TenantUser.class).list();
    }

    NewTenantUser createUser(UUID organization, String email, String role) {
        requireRole(role);
        Password password = Password.generate();
        return jdbc.sql(CREATE_USER)
                .params(email, password.hash(), role, organization)
                .query(TenantUser.class)
                .optional()
                .map(user -> new NewTenantUser(user, password.text()))
                .orElseThrow(() -> Refusal.NOT_FOUND.refused("there is no such organization"));
    }

    void deactivate(UUID organization, UUID user) {
        requireAnotherManager(organization, user);
        requireFound(jdbc.sql(DEACTIVATE).params(organization, user).update());
    }

    void changeRole(UUID organization, UUID user, String role) {
        requireRole(role);
        if (!role.equals(MANAGER)) {
            requireAnotherManager(organization, user);
        }
        requireFound(jdbc.sql(CHANGE_ROLE).params(role, organization, user).update());
    }

    private static void requireRole(String role) {
        if (!ROLES.contains(role)) {
            throw Refusal.INVALID_VALUE.refused("role must be manager or member, but was: " + role);
        }
    }

    private void requireAnotherManager(UUID organization, UUID user) {
        Managers managers = jdbc.sql(MANAGERS)
                .param("organization", organization)
                .param("user", user)
                .query(Managers.class)
                .single();
        if (managers.isOne() && !managers.others()) {
            throw Refusal.LAST_TENANT_MANAGER.refused();
        }
    }

    private static void requireFound(int rows) {
        if (rows == 0) {
            throw Refusal.NOT_FOUND.refused("the organization has no such user");
        }
    }
}
