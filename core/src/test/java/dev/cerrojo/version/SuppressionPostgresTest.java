package dev.cerrojo.version;

import static dev.cerrojo.version.Newsroom.ARTICLES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cerrojo.Actor;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scopes without versions: how they end, whatever happens, to the application and to triggers. */
class SuppressionPostgresTest {
    private Newsroom newsroom;
    private Versions versions;

    @BeforeEach
    void open() throws SQLException {
        newsroom = new Newsroom();
        versions = newsroom.versions();
    }

    @AfterEach
    void close() throws SQLException {
        newsroom.close();
    }

    /** Adds a word to the title of article 1, recorded by the application; triggers record it too, where there are any. */
    private void edit(Transaction tx, String word) throws SQLException {
        versions.act(tx, Actor.EDITOR, "ana");
        versions.recording(
                tx,
                ARTICLES,
                1,
                work -> Newsroom.run(work, "UPDATE article SET title = title || '%s' WHERE id = 1".formatted(word)));
    }

    private List<String> titles() throws SQLException {
        return newsroom.session().rows("SELECT changes -> 'title' ->> 'after' FROM cerrojo.version ORDER BY version");
    }

    private void triggersIf(boolean triggers) throws SQLException {
        if (triggers) {
            newsroom.withTriggers();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noVersionIsMadeUntilTheOutermostIsClosed(boolean triggers) throws SQLException {
        triggersIf(triggers);
        newsroom.transactions().run(tx -> {
            try (Suppression outer = versions.suppress(tx)) {
                try (Suppression inner =
                        Versions.over(newsroom.database().dataSource()).suppress(tx)) {
                    edit(tx, "+inner");
                }
                edit(tx, "+outer");
            }
        });
        assertThat(titles()).isEmpty();
        assertThat(newsroom.logRows())
                .containsExactly("1|ana|{\"title\": {\"after\": \"One+inner+outer\", \"before\": \"One\"}}");

        newsroom.transactions().run(tx -> {
            try (Suppression outer = versions.suppress(tx)) {
                Newsroom.run(tx, "SELECT 1");
            }
            edit(tx, "+after");
        });
        assertThat(titles()).containsExactly("One+inner+outer+after");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closeThatIsForgottenEndsWithTheTransaction(boolean triggers) throws SQLException {
        triggersIf(triggers);
        try (Connection one = newsroom.database().connect()) {
            one.setAutoCommit(false);
            versions.suppress(Transactions.join(one));
            edit(Transactions.join(one), "+1");
            one.commit();
            edit(Transactions.join(one), "+2");
            one.commit();
            versions.suppress(Transactions.join(one));
            one.rollback();
            edit(Transactions.join(one), "+3");
            one.commit();
        }

        assertThat(titles()).containsExactly("One+1+2", "One+1+2+3");
    }

    @Test
    void exceptionIsNotMaskedByClosing() {
        Throwable thrown = catchThrowable(() -> newsroom.transactions().run(tx -> {
            try (Suppression scope = versions.suppress(tx)) {
                Newsroom.run(tx, "SELECT 1 / 0");
            }
        }));

        assertThat(thrown).hasRootCauseMessage("ERROR: division by zero");
        assertThat(thrown.getCause().getSuppressed()).isEmpty();
    }

    /** Its connection may be in another transaction by then, with a suppression of its own. */
    @Test
    void lateCloseDoesNothingToALaterTransaction() throws SQLException {
        try (Connection one = newsroom.database().connect()) {
            one.setAutoCommit(false);
            Suppression late = versions.suppress(Transactions.join(one));
            one.commit();
            try (Suppression present = versions.suppress(Transactions.join(one))) {
                late.close();
                edit(Transactions.join(one), "+1");
            }
            one.commit();
            assertThat(titles()).isEmpty();

            one.setAutoCommit(true);
            versions.suppress(Transactions.join(newsroomConnection())).close();
        }
        Suppression[] kept = new Suppression[1];
        newsroom.transactions().run(tx -> {
            kept[0] = versions.suppress(tx);
        });
        kept[0].close();
    }

    private Connection newsroomConnection() throws SQLException {
        Connection connection = newsroom.session().connection();
        connection.setAutoCommit(false);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rollbackToAnEarlierSavepointEndsIt(boolean triggers) throws SQLException {
        triggersIf(triggers);
        newsroom.transactions().run(tx -> {
            Savepoint before = tx.connection().setSavepoint();
            try (Suppression scope = versions.suppress(tx)) {
                edit(tx, "+lost");
                tx.connection().rollback(before);
                edit(tx, "+versioned");
            }
            edit(tx, "+too");
        });

        assertThat(titles()).containsExactly("One+versioned+too");
    }

    @Test
    void rollbackWithinLeavesItOn() throws SQLException {
        newsroom.transactions().run(tx -> {
            try (Suppression scope = versions.suppress(tx)) {
                Savepoint within = tx.connection().setSavepoint();
                try (Suppression inner = versions.suppress(tx)) {
                    edit(tx, "+lost");
                    tx.connection().rollback(within);
                }
                edit(tx, "+suppressed");
            }
            edit(tx, "+versioned");
        });

        assertThat(titles()).containsExactly("One+suppressed+versioned");
    }

    /** Else the setting would come back with the rollback, and stay to the end of the transaction. */
    @Test
    void rollbackToASavepointOfItIsRefusedOnceItIsClosed() {
        Throwable thrown = catchThrowable(() -> newsroom.transactions().run(tx -> {
            Savepoint within;
            try (Suppression scope = versions.suppress(tx)) {
                within = tx.connection().setSavepoint("within");
            }
            tx.connection().rollback(within);
        }));

        assertThat(thrown).hasRootCauseMessage("ERROR: savepoint \"within\" does not exist");
    }

    @Test
    void outerThatIsClosedFirstEndsTheInnerToo() throws SQLException {
        newsroom.transactions().run(tx -> {
            Suppression outer = versions.suppress(tx);
            Suppression inner = versions.suppress(tx);
            outer.close();
            edit(tx, "+versioned");
            inner.close();
            outer.close();
        });

        assertThat(titles()).containsExactly("One+versioned");
    }

    @Test
    void savepointThatIsReleasedFromBeforeItIsTold() {
        Throwable thrown = catchThrowable(() -> newsroom.transactions().run(tx -> {
            Savepoint before = tx.connection().setSavepoint();
            try (Suppression scope = versions.suppress(tx)) {
                tx.connection().releaseSavepoint(before);
            }
        }));

        assertThat(thrown)
                .isInstanceOf(SuppressionNotEndedException.class)
                .hasMessageContaining("release no savepoint that was set before it");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherTransactionsAreUntouched(boolean triggers) throws SQLException {
        triggersIf(triggers);
        newsroom.transactions().run(tx -> {
            try (Suppression scope = versions.suppress(tx)) {
                newsroom.transactions().run(other -> edit(other, "+other"));
            }
        });

        assertThat(titles()).containsExactly("One+other");
    }
}
