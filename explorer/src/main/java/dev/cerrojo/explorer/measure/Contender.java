package dev.cerrojo.explorer.measure;

/** One of the things that are compared: it makes clients, each of which runs transactions of one kind. */
public interface Contender {
    /** {@return its name, unique in a comparison} */
    String name();

    /**
     * Makes a client, which is used by one thread and closed when the comparison ends.
     *
     * @param number from 0
     * @throws Exception when it cannot be made; the comparison then ends
     */
    Client client(int number) throws Exception;

    /**
     * Makes ready for the next transactions; is called on the comparison's thread when no client runs, and is not measured.
     *
     * @return how many transactions each client may run before this must be called again; at least 1
     * @throws Exception when that cannot be done; the comparison then ends
     */
    default int prepare() throws Exception {
        return Integer.MAX_VALUE;
    }

    /** Is told that what was run until now does not count. */
    default void warmedUp() {}

    /** Runs transactions, one after another. */
    interface Client extends AutoCloseable {
        /**
         * Runs one transaction to its end, retries included.
         *
         * @return how often it had to be run again
         * @throws Exception when it did not end as it should; the comparison then ends
         */
        int transaction() throws Exception;

        @Override
        void close() throws Exception;
    }
}
