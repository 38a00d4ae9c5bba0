package dev.cerrojo.backoffice.tenants;

import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The same without protection: what most services do. For the test that shows what protection is for. */
@Service
@ConditionalOnProperty(name = "backoffice.protection", havingValue = "off")
class UnguardedTenants implements Tenants {
    private final TenantStatements statements;

    UnguardedTenants(TenantStatements statements) {
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
    @Transactional
    public void deactivate(UUID organization, UUID user) {
        statements.deactivate(organization, user);
    }

    @Override
    @Transactional
    public void changeRole(UUID organization, UUID user, String role) {
        statements.changeRole(organization, user, role);
    }
}
