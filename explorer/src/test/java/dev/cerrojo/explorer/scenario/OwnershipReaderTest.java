package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.Actor;
import dev.cerrojo.ownership.FieldOwner;
import dev.cerrojo.ownership.Merge;
import dev.cerrojo.ownership.Ownership;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnershipReaderTest {
    private static final String ARTICLE = """
            ownership:
              article:
                key: id
                version: version
                editor_owned: [title, body]
                system_owned: [thumbnail, width]
                shared:
                  tags: union
                groups:
                  thumbnail: [thumbnail, width]
                others: system
            """;

    private static List<String> problems(String from, String to) {
        assertThat(ARTICLE).contains(from);
        return catchThrowableOfType(
                        ScenarioException.class, () -> ScenarioReader.readContract("x", ARTICLE.replace(from, to)))
                .problems()
                .stream()
                .map(Problem::toString)
                .toList();
    }

    private static void assertIsArticle(Ownership article) {
        assertThat(article.table()).isEqualTo("article");
        assertThat(article.key()).containsExactly("id");
        assertThat(article.version()).contains("version");
        assertThat(article.fieldsOf(FieldOwner.EDITOR)).containsExactly("title", "body");
        assertThat(article.fieldsOf(FieldOwner.SYSTEM)).containsExactly("thumbnail", "width");
        assertThat(article.merges()).containsEntry("tags", Merge.union());
        assertThat(article.groups()).containsEntry("thumbnail", Set.of("thumbnail", "width"));
        assertThat(article.others()).contains(Actor.SYSTEM);
    }

    @Test
    void aContractSaysWhoseTheFieldsAre() {
        Contract contract = ScenarioReader.readContract("x", ARTICLE);

        assertThat(contract.invariants()).isEmpty();
        assertThat(contract.ownerships()).singleElement().satisfies(OwnershipReaderTest::assertIsArticle);
    }

    @Test
    void aScenarioServesAsContract() {
        String scenario = ScenarioReaderTest.ON_CALL + ARTICLE;

        assertThat(ScenarioReader.readContract("x", scenario).ownerships())
                .singleElement()
                .satisfies(OwnershipReaderTest::assertIsArticle);
        assertThat(ScenarioReader.read("x", scenario).invariants()).isNotEmpty();
        assertThat(catchThrowableOfType(
                        ScenarioException.class,
                        () -> ScenarioReader.read("x", scenario.replace("tags: union", "tags: onion"))))
                .hasMessageContaining("did you mean \"union\"?");
    }

    @Test
    void mistakesAreToldWithWhatWasMeant() {
        assertThat(problems("editor_owned", "editors_owned"))
                .singleElement()
                .asString()
                .startsWith("x:5: ownership.article.editors_owned: unknown key \"editors_owned\"; did you mean"
                        + " \"editor_owned\"? (allowed: key, version,");
        assertThat(problems("tags: union", "tags: unoin"))
                .containsExactly("x:8: ownership.article.shared.tags: unknown merge \"unoin\"; did you mean \"union\"?"
                        + " (allowed: first_wins, last_wins, greater, union, delta)");
        assertThat(problems("others: system", "others: sistem"))
                .containsExactly("x:11: ownership.article.others: unknown actor \"sistem\"; did you mean \"system\"?"
                        + " (allowed: editor, system)");
        assertThat(problems("    key: id\n", ""))
                .containsExactly(
                        "x:3: ownership.article: \"key\" is missing: the column of the key, or a list of them");
        assertThat(problems("[thumbnail, width]\n    shared", "[thumbnail, title]\n    shared"))
                .first()
                .isEqualTo("x:6: ownership.article.system_owned[1]: field title of article belongs to editors already:"
                        + " declare it once");
        assertThat(problems("  article:", "  my article:"))
                .containsExactly("x:2: ownership.my article: table must be a name, with a schema or without, but was"
                        + " \"my article\"");
        assertThat(problems("others: system", "others: 1")).hasSize(1);
        assertThat(problems("title, body", "title, version"))
                .singleElement()
                .asString()
                .contains("column version of article is its key or version");
    }
}
