package dev.cerrojo.explorer.tests.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.Actor;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.guards.ProofTable;
import dev.cerrojo.ownership.Ownership;
import dev.cerrojo.ownership.OwnershipOptions;
import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.OwnershipTriggers;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** An editor and the system change one row through Hibernate, which writes every column, in every order. */
@SpringBootTest(
        properties = {
            "logging.level.root=error",
            "logging.level.org.springframework=off",
            "logging.level.org.hibernate=off",
            "spring.main.banner-mode=off",
            "spring.jpa.hibernate.ddl-auto=create"
        })
@Import(BankApplication.Gates.class)
class PreserveInterleavingTest {
    private static final TestDatabase DATABASE = TestDatabase.create();
    private static final ProofTable TABLE = ProofTable.byLevel("ownership.md", "two sessions of Hibernate");
    private static final OwnershipTrigger TRIGGER = OwnershipTrigger.of(
            Ownership.of("article", "id")
                    .editorOwned("title")
                    .systemOwned("summary")
                    .build(),
            OwnershipOptions.preserve());

    @Autowired
    private DataSource dataSource;

    @Autowired
    private Articles articles;

    private final Set<Actor> committed = ConcurrentHashMap.newKeySet();

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", DATABASE::jdbcUrl);
    }

    @BeforeEach
    void article() throws SQLException {
        OwnershipTriggers.over(DATABASE.dataSource()).drop(TRIGGER, Installation.defaults());
        articles.publish(new Article(1L, "Old", "old"));
    }

    @AfterAll
    static void publish() {
        TABLE.publish();
    }

    static Stream<Arguments> races() {
        return Stream.of(true, false)
                .flatMap(trigger -> Arrays.stream(Isolation.values()).map(level -> Arguments.of(trigger, level)));
    }

    /** Both have read the row before the race: the second overwrites the first even when they come one after another. */
    @ParameterizedTest
    @MethodSource("races")
    void formsThatWereReadBefore(boolean trigger, Isolation level) throws SQLException {
        Article editors = articles.article();
        Article systems = articles.article();
        editors.rename("New");
        systems.summarize("fresh");

        explore(
                "forms that were read before",
                trigger,
                level,
                () -> articles.save(Actor.EDITOR, level, editors),
                () -> articles.save(Actor.SYSTEM, level, systems));
    }

    /** Above READ COMMITTED PostgreSQL itself refuses the second of them, with 40001. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void rowsThatAreReadAndChanged(Isolation level) throws SQLException {
        rowsThatAreReadAndChanged(true, level);
    }

    @ParameterizedTest
    @EnumSource(value = Isolation.class, names = "READ_COMMITTED")
    void rowsThatAreReadAndChangedWithoutATrigger(Isolation level) throws SQLException {
        rowsThatAreReadAndChanged(false, level);
    }

    private void rowsThatAreReadAndChanged(boolean trigger, Isolation level) throws SQLException {
        explore(
                "rows that are read and changed",
                trigger,
                level,
                () -> articles.change(Actor.EDITOR, level, article -> article.rename("New")),
                () -> articles.change(Actor.SYSTEM, level, article -> article.summarize("fresh")));
    }

    private void explore(String says, boolean trigger, Isolation level, Runnable editor, Runnable system)
            throws SQLException {
        if (trigger) {
            OwnershipTriggers.over(DATABASE.dataSource()).install(TRIGGER, Installation.defaults());
        }
        Interleavings race = race(editor, system);
        if (trigger && level == Isolation.READ_COMMITTED) {
            race.neverFails();
        }
        Findings findings = race.explore();

        assertThat(findings.verdict()).as(findings.text()).isEqualTo(trigger ? Verdict.HOLDS : Verdict.VIOLATED);
        TABLE.add(
                (trigger ? "preserve: " : "control, no trigger: ") + says,
                level,
                findings.verdict(),
                findings.schedules());
    }

    private Interleavings race(Runnable editor, Runnable system) {
        return new Interleavings()
                .over(dataSource)
                .session("an editor renames it", () -> {
                    editor.run();
                    committed.add(Actor.EDITOR);
                })
                .session("the system summarizes it", () -> {
                    system.run();
                    committed.add(Actor.SYSTEM);
                })
                .beforeEach(committed::clear)
                .neverDeadlocks()
                .holds("one is committed", () -> assertThat(committed).isNotEmpty())
                .holds("neither loses the other's field", this::assertKept);
    }

    private void assertKept() {
        Article article = articles.article();
        if (committed.contains(Actor.EDITOR)) {
            assertThat(article.title()).isEqualTo("New");
        }
        if (committed.contains(Actor.SYSTEM)) {
            assertThat(article.summary()).isEqualTo("fresh");
        }
    }
}
