package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.database.MeasuredDatabase;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Value;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which calls clients make, one after another. */
interface Calls {
    /**
     * Makes ready for the next calls, while no client runs.
     *
     * @return how many each client may make
     */
    int prepare() throws SQLException;

    /** {@return the next call of a client, which numbers its calls since then from 0} */
    Choice next(int client, int number);

    /**
     * A call.
     *
     * @param entry the index of the file's session entry that it is made of
     * @param session the entry, in some scope
     */
    record Choice(int entry, Session session) {}

    /** Puts a database back; a call that does DDL cannot be measured. */
    static void restore(MeasuredDatabase database, boolean anew) throws SQLException {
        if (!database.restore(anew)) {
            throw new SQLException("a call changes the schema, which cannot be put back between calls");
        }
    }

    /** All clients call at the same moment in the one scope that the file has; then its rows are put back. */
    final class Hot implements Calls {
        /** Putting back leaves dead rows behind. */
        private static final int BURSTS_BETWEEN_TRUNCATES = 40;

        private final MeasuredDatabase database;
        private final List<Session> entries;
        private int burst;

        Hot(MeasuredDatabase database, List<Session> entries) {
            this.database = database;
            this.entries = entries;
        }

        @Override
        public int prepare() throws SQLException {
            restore(database, burst % BURSTS_BETWEEN_TRUNCATES == 0);
            burst++;
            return 1;
        }

        @Override
        public Choice next(int client, int number) {
            int entry = (client + burst) % entries.size();
            return new Choice(entry, entries.get(entry));
        }
    }

    /**
     * Scopes of one database that nobody has called in yet, in an order that chance made: neighbours on a page are not called in at
     * the same time.
     */
    final class Stock {
        private static final int FEW = 3;

        private final MeasuredDatabase database;
        private final int clients;
        private final List<Value> scopes;
        private int used;
        private int taken;

        Stock(MeasuredDatabase database, int clients, List<Value> scopes) {
            this.database = database;
            this.clients = clients;
            this.scopes = new ArrayList<>(scopes);
            Collections.shuffle(this.scopes, new Random(1));
        }

        /** {@return scopes that may be called in once, as many for each client} */
        synchronized List<Value> take() throws SQLException {
            if (used == 0 || scopes.size() - used < FEW * clients) {
                restore(database, true);
                used = 0;
            }
            taken = used;
            return scopes.subList(taken, scopes.size() - (scopes.size() - taken) % clients);
        }

        /** The scope in this place of those that were taken is called in, and all before it will be or are left out. */
        synchronized void use(int place) {
            used = Math.max(used, taken + place + 1);
        }
    }

    /** Every call is in a scope that nobody has called in before, each of the file's entries as often as the others. */
    final class Spread implements Calls {
        private final Stock stock;
        private final int clients;
        private final Scenario scenario;
        private final List<Session> entries;
        private List<Value> scopes = List.of();

        Spread(Stock stock, int clients, Scenario scenario, List<Session> entries) {
            this.stock = stock;
            this.clients = clients;
            this.scenario = scenario;
            this.entries = entries;
        }

        @Override
        public int prepare() throws SQLException {
            scopes = stock.take();
            return scopes.size() / clients;
        }

        @Override
        public Choice next(int client, int number) {
            int place = number * clients + client;
            stock.use(place);
            int entry = place % entries.size();
            return new Choice(entry, Scopes.in(scenario, entries.get(entry), scopes.get(place)));
        }
    }
}
