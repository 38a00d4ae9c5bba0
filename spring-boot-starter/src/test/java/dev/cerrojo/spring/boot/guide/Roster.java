package dev.cerrojo.spring.boot.guide;

import dev.cerrojo.spring.Guarded;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

@Service
public class Roster {
    private final JdbcTemplate jdbc;

    Roster(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Guarded(invariant = "on_call_coverage", scope = "shift")
    public void leave(int shift, String doctor) {
        jdbc.update("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?", shift, doctor);
    }
}
