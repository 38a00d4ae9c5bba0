package dev.cerrojo.benchmarks.leases;

import dev.cerrojo.explorer.measure.Contender;

/** Takes a lock that nobody else wants and releases it; each client has a key of its own. */
record PairContender(Rival rival) implements Contender {
    @Override
    public String name() {
        return rival.name();
    }

    @Override
    public Client client(int number) {
        String key = "pairs/" + number;
        return new Client() {
            @Override
            public int transaction() throws Exception {
                rival.take(key).release();
                return 0;
            }

            @Override
            public void close() {
                // Nothing is held between two transactions.
            }
        };
    }
}
