package dev.cerrojo.explorer.tests.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of the guide, and the tests that it names. */
class PaymentsTest {
    private static final byte[] BODY = "three apples".getBytes(StandardCharsets.UTF_8);
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
    private static final List<Path> SOURCES = List.of(
            Path.of("src", "test", "java", "dev", "cerrojo", "explorer", "tests", "idempotency"),
            Path.of("..", "core", "src", "test", "java", "dev", "cerrojo", "idempotency"));

    /** Takes money once per key. */
    private static final class Bank implements Payments.Provider {
        private final List<String> charged = new ArrayList<>();

        @Override
        public String charge(String key, byte[] order) {
            charged.add(key);
            return "\"" + key + "\"";
        }

        @Override
        public boolean hasCharged(String key) {
            return charged.contains(key);
        }
    }

    @Test
    void whatComesTwiceIsDoneOnce() throws SQLException {
        Bank bank = new Bank();
        try (Ledger ledger = new Ledger();
                Payments payments = new Payments(ledger.setup(), bank)) {
            ledger.execute("CREATE TABLE orders (note text)");
            for (boolean again : new boolean[] {false, true}) {
                assertThat(payments.order("ana", "k1", BODY).replayed()).isEqualTo(again);
                assertThat(payments.invoice("17", BODY)).isEqualTo(!again);
                assertThat(payments.pay("ana", "k2", BODY).replayed()).isEqualTo(again);
                assertThat(payments.charge("17", BODY)).isEqualTo(!again);
            }
            assertThat(ledger.number("SELECT count(*) FROM orders")).isEqualTo(2);
            assertThat(bank.charged).containsExactly("ana/k2", "17");
        }
    }

    @Test
    void eachTestThatThePagesNameIsThere() throws IOException {
        for (String page : List.of("guide", "design")) {
            String text = Files.readString(Path.of("..", "docs", page, "idempotency.md"));
            List<MatchResult> named = NAMED.matcher(text).results().toList();
            assertThat(named).as(page).hasSizeGreaterThan(10);
            for (MatchResult each : named) {
                assertThat(source(each.group(1))).as(each.group()).contains("void " + each.group(2) + "(");
            }
        }
    }

    private static String source(String test) throws IOException {
        for (Path folder : SOURCES) {
            Path file = folder.resolve(test + ".java");
            if (Files.exists(file)) {
                return Files.readString(file);
            }
        }
        return "";
    }
}
