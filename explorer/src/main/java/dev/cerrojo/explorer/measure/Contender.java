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
