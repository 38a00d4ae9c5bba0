package dev.cerrojo.explorer.tests.leases;

import dev.cerrojo.lease.Leases;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Leases are lost in thousands of schedules here, which nobody needs to be told. */
final class QuietLog {
    private static final Logger LOG = Logger.getLogger(Leases.class.getName());

    private QuietLog() {}

    static void on() {
        LOG.setLevel(Level.OFF);
    }
}
