package dev.cerrojo.explorer.search;

import java.sql.SQLException;
import java.util.function.Consumer;

/** Subjects of the same sessions in databases of their own, so that a search can run several schedules at once. */
public interface Helpers {
    /** A search on its own. */
    Helpers NONE = new Helpers() {
        @Override
        public int most() {
            return 0;
        }

        @Override
        public void lend(Consumer<Subject> use) {
            throw new IllegalStateException("there are none");
        }
    };

    /** {@return how many more subjects may be used at once} */
    int most();

    /**
     * Makes a subject, lends it and closes it, on the caller's thread; is called from several.
     *
     * @param use runs schedules of it
     * @throws SQLException if the server cannot do it
     */
    void lend(Consumer<Subject> use) throws SQLException;
}
