package dev.cerrojo.backoffice.shifts;

import dev.cerrojo.backoffice.web.Refusal;
import java.sql.Timestamp;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What each operation does in its transaction: it looks, decides, writes. Whoever calls it sees to what runs beside it. */
@Component
class OnCallStatements {
    private static final String SHIFTS = "SELECT id, name, active FROM shift WHERE organization_id = ? ORDER BY id";

    private static final String DOCTORS = """
            SELECT doctor, c.active, expires_at FROM on_call c JOIN shift s ON s.id = c.shift_id
            WHERE s.organization_id = ? AND s.id = ? ORDER BY doctor""";

    private static final String CREATE =
            "INSERT INTO shift (organization_id, name) VALUES (?, ?) RETURNING id, name, active";

    private static final String ASSIGN = """
            INSERT INTO on_call (shift_id, doctor, expires_at)
            SELECT id, ?, ? FROM shift WHERE organization_id = ? AND id = ?
            ON CONFLICT (shift_id, doctor) DO UPDATE SET active = true, expires_at = excluded.expires_at""";

    /** Whether the doctor is on call in an active shift, and whether somebody else is. */
    private static final String COVER = """
            SELECT coalesce(bool_or(doctor = :doctor), false) AS is_one, coalesce(bool_or(doctor <> :doctor), false) AS others
            FROM on_call c JOIN shift s ON s.id = c.shift_id WHERE s.organization_id = :organization AND s.id = :shift AND s.active AND c.active""";

    private static final String REMOVE = """
            UPDATE on_call c SET active = false FROM shift s
            WHERE s.id = c.shift_id AND s.organization_id = ? AND s.id = ? AND c.doctor = ?""";

    /** Where all are expired, the one who expired last stays. */
    private static final String REMOVE_EXPIRED = """
            UPDATE on_call SET active = false
            WHERE shift_id = :shift AND active AND expires_at < now()
              AND doctor IS DISTINCT FROM (
                SELECT doctor FROM on_call WHERE shift_id = :shift AND active
                ORDER BY expires_at DESC NULLS FIRST, doctor LIMIT 1)""";

    private static final String WITH_EXPIRED = """
            SELECT DISTINCT c.shift_id FROM on_call c JOIN shift s ON s.id = c.shift_id
            WHERE s.active AND c.active AND c.expires_at < now() ORDER BY c.shift_id""";

    private final JdbcClient jdbc;

    OnCallStatements(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    private record Cover(boolean isOne, boolean others) {}

    List<Shift> shifts(UUID organization) {
        return jdbc.sql(SHIFTS).param(organization).query(Shift.class).list();
    }

    List<Doctor> doctors(UUID organization, long shift) {
        return jdbc.sql(DOCTORS)
                .params(organization, shift)
                .query((row, number) -> new Doctor(
                        row.getString("doctor"),
                        row.getBoolean("active"),
                        Optional.ofNullable(row.getTimestamp("expires_at"))
                                .map(Timestamp::toInstant)
                                .orElse(null)))
                .list();
    }

    Shift create(UUID organization, String name, Doctor first) {
        Shift shift =
                jdbc.sql(CREATE).params(organization, name).query(Shift.class).single();
        assign(organization, shift.id(), first);
        return shift;
    }

    void assign(UUID organization, long shift, Doctor doctor) {
        Timestamp expires =
                Optional.ofNullable(doctor.expiresAt()).map(Timestamp::from).orElse(null);
        requireFound(jdbc.sql(ASSIGN)
                .param(doctor.doctor())
                .param(expires)
                .param(organization)
                .param(shift)
                .update());
    }

    void remove(UUID organization, long shift, String doctor) {
        Cover cover = jdbc.sql(COVER)
                .param("organization", organization)
                .param("shift", shift)
                .param("doctor", doctor)
                .query(Cover.class)
                .single();
        if (cover.isOne() && !cover.others()) {
            throw Refusal.LAST_DOCTOR_ON_CALL.refused();
        }
        requireFound(jdbc.sql(REMOVE).params(organization, shift, doctor).update());
    }

    int removeExpired(long shift) {
        return jdbc.sql(REMOVE_EXPIRED).param("shift", shift).update();
    }

    List<Long> shiftsWithExpired() {
        return jdbc.sql(WITH_EXPIRED).query(Long.class).list();
    }

    private static void requireFound(int rows) {
        if (rows == 0) {
            throw Refusal.NOT_FOUND.refused("the organization has no such shift, or the shift no such doctor");
        }
    }
}
