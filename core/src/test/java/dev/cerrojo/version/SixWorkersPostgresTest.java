package dev.cerrojo.version;

import static dev.cerrojo.version.Newsroom.ONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.Actor;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An editor saves; six workers write what follows from it, each a field group of its own, all at once with the editor. */
class SixWorkersPostgresTest {
    private static final int WORKERS = 6;
    private static final int SAVES = 10;

    private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS + 1);
    private Newsroom newsroom;

    @BeforeEach
    void open() throws SQLException {
        newsroom = new Newsroom();
        for (int worker = 1; worker <= WORKERS; worker++) {
            newsroom.session()
                    .run(
                            "CREATE TABLE group_%1$d (article_id int PRIMARY KEY, value int); INSERT INTO group_%1$d VALUES (1, 0)"
                                    .formatted(worker));
        }
    }

    @AfterEach
    void close() throws SQLException {
        threads.shutdownNow();
        newsroom.close();
    }

    private static VersionedTable group(int worker) {
        return VersionedTable.of("group_" + worker, "article_id").partOf("article");
    }

    private Callable<Object> editor(CyclicBarrier start, int save) {
        return transaction(
                start,
                Actor.EDITOR,
                "ana",
                Newsroom.ARTICLES,
                "UPDATE article SET title = 'save %d' WHERE id = 1",
                save);
    }

    private Callable<Object> worker(CyclicBarrier start, int worker, int save) {
        return transaction(
                start,
                Actor.SYSTEM,
                "worker " + worker,
                group(worker),
                "UPDATE group_" + worker + " SET value = %d WHERE article_id = 1",
                save);
    }

    private Callable<Object> transaction(
            CyclicBarrier start, Actor actor, String who, VersionedTable table, String update, int save) {
        Transactions transactions = newsroom.transactions();
        return () -> {
            start.await(20, TimeUnit.SECONDS);
            transactions.run(tx -> {
                newsroom.versions().act(tx, actor, who);
                newsroom.versions().recording(tx, table, 1, work -> Newsroom.run(work, update.formatted(save)));
            });
            return who;
        };
    }

    private void allAtOnce(int save) throws Exception {
        CyclicBarrier start = new CyclicBarrier(WORKERS + 1);
        List<Callable<Object>> all = new ArrayList<>(List.of(editor(start, save)));
        IntStream.rangeClosed(1, WORKERS).forEach(worker -> all.add(worker(start, worker, save)));
        for (Future<Object> done : threads.invokeAll(all, 30, TimeUnit.SECONDS)) {
            done.get();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachSaveIsOneVersionAndSixLogEntries(boolean triggers) throws Exception {
        if (triggers) {
            newsroom.withTriggers();
            for (int worker = 1; worker <= WORKERS; worker++) {
                VersionTriggers.over(newsroom.database().dataSource())
                        .install(
                                VersionTrigger.of(group(worker), VersionTriggerOptions.defaults()),
                                Installation.defaults());
            }
        }
        for (int save = 1; save <= SAVES; save++) {
            allAtOnce(save);

            assertThat(newsroom.versions().versionsOf(ONE, 100).entries())
                    .hasSize(save)
                    .allSatisfy(version -> assertThat(version.fields()).containsExactly("title"));
            assertThat(newsroom.versions().logOf(ONE, WORKERS).entries())
                    .extracting(LogEntry::by)
                    .containsExactlyInAnyOrder("worker 1", "worker 2", "worker 3", "worker 4", "worker 5", "worker 6");
        }
        assertThat(newsroom.versions().logOf(ONE, 100).entries()).hasSize(WORKERS * SAVES);
        assertThat(newsroom.versions().versionsOf(ONE, 100).entries())
                .extracting(Version::number)
                .isEqualTo(IntStream.iterate(SAVES, n -> n - 1)
                        .limit(SAVES)
                        .mapToObj(n -> (long) n)
                        .toList());
    }
}
