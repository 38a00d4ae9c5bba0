package dev.cerrojo.backoffice.tenants;

import dev.cerrojo.spring.Guarded;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** As the service runs: what may break the invariant is guarded. */
@Service
@ConditionalOnProperty(name = "backoffice.protection", havingValue = "on", matchIfMissing = true)
class GuardedTenants implements Tenants {
    private final TenantStatements statements;

    GuardedTenants(TenantStatements statements) {
        this.statements = statements;
    }

    @Override
    @Transactional(readOnly = true)
    public List<Organization> organizations() {
        return statements.organizations();
    }

    @Override
    @Transactional
    public NewOrganization create(String name, String managerEmail) {
        return statements.create(name, managerEmail);
    }

    @Override
    @Transactional(readOnly = true)
    public List<TenantUser> users(UUID organization) {
        return statements.users(organization);
    }

    @Override
    @Transactional
    public NewTenantUser createUser(UUID organization, String email, String role) {
        return statements.createUser(organization, email, role);
    }

    @Override
    @Guarded(invariant = "tenant_manager", scope = "organization")
    public void deactivate(UUID organization, UUID user) {
        statements.deactivate(organization, user);
    }

    @Override
    @Guarded(invariant = "tenant_manager", scope = "organization")
    public void changeRole(UUID organization, UUID user, String role) {
        statements.changeRole(organization, user, role);
    }
}
