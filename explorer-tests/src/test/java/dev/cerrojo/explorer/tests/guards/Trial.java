package dev.cerrojo.explorer.tests.guards;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.invariant.NotProtectedException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** A race that also keeps, of every schedule, what each session ended with. */
final class Trial {
    static final String COMMITTED = "committed";
    static final String REFUSED = "refused";
    static final String REFUSED_BY_TRIGGER = "refused by the trigger";
    static final String NOT_POSSIBLE = "not possible";
    static final String NOT_PROTECTED = "not protected";

    private final Interleavings race;
    private final Map<String, String> endings = new ConcurrentHashMap<>();
    private final Set<String> all = new TreeSet<>();
    private final List<String> names = new ArrayList<>();
    private final Sessions sessions;

    Trial(Hospital hospital) {
        this(hospital, Search.Mode.REDUCED);
    }

    Trial(Hospital hospital, Search.Mode mode) {
        Interleavings.Settings standard = Interleavings.Settings.standard();
        race = new Interleavings(
                new Interleavings.Settings(standard.bounds(), mode, standard.disposable(), standard.replay()));
        sessions = new Sessions(race.over(hospital.dataSource()).dataSource());
        race.mayRefuse(InvariantViolatedException.class)
                .mayRefuse(NotProtectedException.class)
                .mayRefuse(Sessions.RefusedException.class)
                .mayRefuse(Sessions.NotPossibleException.class)
                .holds(
                        "endings are kept",
                        () -> all.add(new TreeMap<>(endings).values().toString()));
    }

    Sessions sessions() {
        return sessions;
    }

    Trial session(SessionBody body) {
        String name = String.valueOf((char) ('A' + names.size()));
        names.add(name);
        race.session(name, () -> {
            endings.put(name, "did not end");
            try {
                body.run();
                endings.put(name, COMMITTED);
            } catch (Exception e) {
                endings.put(name, word(e));
                throw e;
            }
        });
        return this;
    }

    Trial holds(Invariant invariant) {
        race.holds(invariant);
        return this;
    }

    Trial neverDeadlocks() {
        race.neverDeadlocks();
        return this;
    }

    Trial neverWaits() {
        race.neverWaits();
        return this;
    }

    Findings explore() {
        return race.explore();
    }

    /** {@return how schedules ended, each as {@code [ending of A, ending of B]}; once it was explored} */
    Set<String> endings() {
        return all;
    }

    private static String word(Throwable thrown) {
        if (thrown instanceof InvariantViolatedException || thrown instanceof Sessions.RefusedException) {
            return REFUSED;
        } else if (thrown instanceof NotProtectedException) {
            return NOT_PROTECTED;
        } else if (thrown instanceof Sessions.NotPossibleException) {
            return NOT_POSSIBLE;
        }
        return thrown instanceof SQLException failure ? word(failure) : thrown.toString();
    }

    private static String word(SQLException failure) {
        return "23514".equals(failure.getSQLState()) ? REFUSED_BY_TRIGGER : "SQLSTATE " + failure.getSQLState();
    }
}
