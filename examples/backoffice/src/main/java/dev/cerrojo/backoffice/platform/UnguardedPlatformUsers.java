package dev.cerrojo.backoffice.platform;

import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The same without protection: what most services do. For the test that shows what protection is for. */
@Service
@ConditionalOnProperty(name = "backoffice.protection", havingValue = "off")
class UnguardedPlatformUsers implements PlatformUsers {
    private final PlatformUserStatements statements;

    UnguardedPlatformUsers(PlatformUserStatements statements) {
        this.statements = statements;
    }

    @Override
    @Transactional(readOnly = true)
    public List<PlatformUser> all() {
        return statements.all();
    }

    @Override
    @Transactional
    public NewPlatformUser create(String email, String role) {
        return statements.create(email, role);
    }

    @Override
    @Transactional
    public void deactivate(UUID user) {
        statements.deactivate(user);
    }

    @Override
    @Transactional
    public void changeRole(UUID user, String role) {
        statements.changeRole(user, role);
    }
}
