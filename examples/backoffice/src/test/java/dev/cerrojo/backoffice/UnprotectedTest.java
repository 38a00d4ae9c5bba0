package dev.cerrojo.backoffice;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The control of {@link LastOneTest}: the same requests to the same service, with its protection switched off. */
class UnprotectedTest {
    @Test
    void nobodyIsLeft() throws SQLException {
        try (Service service = Service.start(Map.of("BACKOFFICE_PROTECTION", "off"))) {
            LastOneTest.Two two = LastOneTest.Two.in(service);
            assertThat(two.leaveAtOnce(service)).extracting(Answer::status).containsExactly(200, 200);
            assertThat(two.managers(service)).isZero();

            service.execute("UPDATE platform_user SET role = 'administrator' WHERE email LIKE 'support@%'");
            assertThat(LastOneTest.administratorsLeaveAtOnce(service))
                    .extracting(Answer::status)
                    .containsExactly(200, 200);
            assertThat(LastOneTest.administrators(service)).isZero();
        }
    }
}
