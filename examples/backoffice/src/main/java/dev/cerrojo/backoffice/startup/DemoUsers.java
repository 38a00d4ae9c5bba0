package dev.cerrojo.backoffice.startup;

import dev.cerrojo.backoffice.security.Password;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Makes users where there are none, and prints their passwords, once. Of two replicas that start at once, one does. */
@Component
@ConditionalOnProperty(name = "backoffice.demo-users", matchIfMissing = true)
class DemoUsers implements ApplicationRunner {
    private static final String ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(74919, 0)";
    private static final String ANYBODY = "SELECT EXISTS (SELECT FROM platform_user)";
    private static final String PLATFORM = "INSERT INTO platform_user (email, password_hash, role) VALUES (?, ?, ?)";
    private static final String ORGANIZATION = "INSERT INTO organization (name) VALUES ('Demo clinic')";

    private static final String TENANT = """
            INSERT INTO tenant_user (organization_id, email, password_hash, role)
            SELECT id, ?, ?, ? FROM organization WHERE name = 'Demo clinic'""";

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    DemoUsers(JdbcClient jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        List<String> made = transaction.execute(status -> make());
        if (made != null && !made.isEmpty()) {
            print(made, System.out);
        }
    }

    private List<String> make() {
        jdbc.sql(ONE_AT_A_TIME).query(rows -> {});
        if (jdbc.sql(ANYBODY).query(Boolean.class).single()) {
            return List.of();
        }
        List<String> made = new ArrayList<>();
        made.add(user(PLATFORM, "administrator@backoffice.example", "administrator"));
        made.add(user(PLATFORM, "operator@backoffice.example", "operator"));
        made.add(user(PLATFORM, "support@backoffice.example", "support"));
        jdbc.sql(ORGANIZATION).update();
        made.add(user(TENANT, "manager@clinic.example", "manager"));
        made.add(user(TENANT, "member@clinic.example", "member"));
        return made;
    }

    private String user(String sql, String email, String role) {
        Password password = Password.generate();
        jdbc.sql(sql).params(email, password.hash(), role).update();
        return "  %-34s %s".formatted(email, password.text());
    }

    private static void print(List<String> users, PrintStream out) {
        out.println("Demo users and their passwords, shown only now:");
        users.forEach(out::println);
    }
}
