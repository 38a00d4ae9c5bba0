package dev.cerrojo.backoffice;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Doctors are taken off a shift by its organization, by an operator and by the clean-up job, at the same moment. */
class ShiftsTest {
    private static final int REPETITIONS = 25;
    private static Service service;
    private static String organization;

    @BeforeAll
    static void start() {
        service = Service.start(Map.of("BACKOFFICE_CLEANUPEVERY", "PT0.05S"));
        organization = service.operator()
                .get(service.first, "/platform/organizations")
                .body()
                .get(0)
                .path("id")
                .asString();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static long shift() {
        String path = "/platform/organizations/" + organization + "/shifts";
        Answer made =
                service.operator().post(service.first, path, Map.of("name", "Night", "first", Map.of("doctor", "Ana")));
        long shift = made.body().path("id").asLong();
        service.operator().post(service.first, path + "/" + shift + "/doctors", Map.of("doctor", "Ben"));
        return shift;
    }

    private static Supplier<CompletableFuture<Answer>> remove(
            Caller caller, Replica replica, String prefix, long shift, String doctor) {
        return () -> caller.call(
                replica,
                "DELETE",
                "%s/organizations/%s/shifts/%d/doctors/%s".formatted(prefix, organization, shift, doctor),
                Map.of(),
                "");
    }

    private static long onCall(long shift) {
        return service.number("SELECT count(*) FROM on_call WHERE shift_id = ? AND active", shift);
    }

    @Test
    void theOrganizationAndAnOperatorLeaveOne() throws SQLException {
        Caller manager = service.caller("manager@clinic.example");
        for (int i = 0; i < REPETITIONS; i++) {
            long shift = shift();
            List<Answer> answers = service.atOnce(
                    "SELECT FROM on_call WHERE shift_id = " + shift + " FOR UPDATE",
                    remove(manager, service.first, "", shift, "Ana"),
                    remove(service.operator(), service.second, "/platform", shift, "Ben"));
            assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 400);
            assertThat(answers)
                    .extracting(Answer::problem)
                    .containsExactlyInAnyOrder("", "/problems/last-doctor-on-call");
            assertThat(onCall(shift)).isOne();
        }
    }

    /** The job of both replicas runs all the time; whoever comes first, one doctor stays. */
    @Test
    void aRemovalAndTheCleanUpLeaveOne() {
        for (int i = 0; i < REPETITIONS; i++) {
            long shift = shift();
            service.execute("UPDATE on_call SET expires_at = now() WHERE doctor = 'Ben' AND shift_id = " + shift);
            int status = remove(service.operator(), service.first, "/platform", shift, "Ana")
                    .get()
                    .join()
                    .status();
            assertThat(status).isIn(200, 400);
            assertThat(onCall(shift)).isOne();
        }
    }
}
