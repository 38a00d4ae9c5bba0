package dev.cerrojo.spring.boot.guide;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RosterController {
    private final Roster roster;

    RosterController(Roster roster) {
        this.roster = roster;
    }

    @DeleteMapping("/shifts/{shift}/doctors/{doctor}")
    void leave(@PathVariable int shift, @PathVariable String doctor) {
        roster.leave(shift, doctor);
    }
}
