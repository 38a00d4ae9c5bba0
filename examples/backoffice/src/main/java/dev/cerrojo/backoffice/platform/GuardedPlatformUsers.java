package dev.cerrojo.backoffice.platform;

import dev.cerrojo.spring.Guarded;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** As the service runs: what may break the invariant is guarded. */
@Service
@ConditionalOnProperty(name = "backoffice.protection", havingValue = "on", matchIfMissing = true)
class GuardedPlatformUsers implements PlatformUsers {
    private final PlatformUserStatements statements;

    GuardedPlatformUsers(PlatformUserStatements statements) {
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
    @Guarded(invariant = "platform_administrator")
    public void deactivate(UUID user) {
        statements.deactivate(user);
    }

    @Override
    @Guarded(invariant = "platform_administrator")
    public void changeRole(UUID user, String role) {
        statements.changeRole(user, role);
    }
}
