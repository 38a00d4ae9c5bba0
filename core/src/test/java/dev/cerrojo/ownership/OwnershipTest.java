package dev.cerrojo.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.Actor;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnershipTest {
    private final Ownership articles = Ownership.of("article", "id")
            .version("version")
            .editorOwned("title", "Body")
            .systemOwned("thumbnail", "width", "embedding")
            .shared("tags", Merge.union())
            .group("thumbnail", "thumbnail", "width")
            .group("text", "title", "Body")
            .build();

    @Test
    void aWrongActorIsToldTheFieldTheOwnerAndTheWayOut() {
        WrongActorException refused = catchThrowableOfType(
                WrongActorException.class, () -> articles.requireWritable(Actor.EDITOR, List.of("title", "embedding")));

        assertThat(refused)
                .hasMessage(
                        "field embedding of article belongs to the system, but was to be written by editors: leave it out,"
                                + " or write it as SYSTEM; if both write it, declare it as shared, with a merge");
        assertThat(refused.field()).isEqualTo("embedding");
        assertThat(refused.owner()).isEqualTo(FieldOwner.SYSTEM);
        assertThat(refused.actor()).isEqualTo(Actor.EDITOR);
        assertThat(refused.table()).isEqualTo("article");
    }

    @Test
    void eachWritesItsOwnAndWhatIsShared() {
        articles.requireWritable(Actor.EDITOR, List.of("title", "tags"));
        articles.requireWritable(Actor.SYSTEM, List.of("width", "tags"));
    }

    @Test
    void whatIsNobodysIsRefused() {
        assertThatThrownBy(() -> articles.ownerOf("slug")).hasMessageContaining("field slug of article is nobody's");
        assertThatThrownBy(() -> articles.ownerOf("version")).hasMessageContaining("is the version");
        assertThatThrownBy(() -> articles.ownerOf("id")).hasMessageContaining("is the key");
    }

    @Test
    void theRestMayBelongToOneActor() {
        Ownership lenient = Ownership.of("article", "id")
                .systemOwned("embedding")
                .others(Actor.EDITOR)
                .build();

        assertThat(lenient.ownerOf("anything")).isEqualTo(FieldOwner.EDITOR);
        assertThat(lenient.ownerOf("embedding")).isEqualTo(FieldOwner.SYSTEM);
        assertThatThrownBy(() -> lenient.grantSql(Actor.EDITOR, "editors")).hasMessageContaining("declare each");
    }

    @Test
    void mistakesInADeclarationAreRefused() {
        assertThatThrownBy(() -> Ownership.of("a b", "id")).hasMessageContaining("table must be a name");
        assertThatThrownBy(() -> Ownership.of("a")).hasMessageContaining("the key of a must have a column");
        assertThatThrownBy(() -> Ownership.of("a", "id").editorOwned("x").systemOwned("x"))
                .hasMessage("field x of a belongs to editors already: declare it once");
        assertThatThrownBy(() -> Ownership.of("a", "id").editorOwned("id").build())
                .hasMessageContaining("column id of a is its key or version");
        assertThatThrownBy(() -> Ownership.of("a", "id").group("g", "x").build())
                .hasMessageContaining("field x of a is nobody's");
        assertThatThrownBy(() -> Ownership.of("a", "id")
                        .editorOwned("x")
                        .group("g", "x")
                        .group("h", "x")
                        .build())
                .hasMessageContaining("put it in one");
        assertThatThrownBy(() -> Merge.by("union", (base, present, proposed) -> proposed))
                .hasMessageContaining("taken are first_wins, last_wins, greater, union, delta");
    }

    @Test
    void rightsAreListedByColumn() {
        assertThat(articles.grantSql(Actor.EDITOR, "editors"))
                .isEqualTo("GRANT UPDATE (title, \"Body\", tags, version) ON article TO editors");
        assertThat(articles.grantSql(Actor.SYSTEM, "Worker"))
                .isEqualTo("GRANT UPDATE (thumbnail, width, embedding, tags) ON article TO \"Worker\"");
    }

    @Test
    void groupsNameWhatIsLeased() {
        assertThat(articles.scope(42, "thumbnail")).isEqualTo(new FieldScope("article/42", Optional.of("thumbnail")));
        assertThat(articles.scope(42)).isEqualTo(new FieldScope("article/42", Optional.empty()));
        assertThat(articles.scopesOf(42, List.of("width", "title")))
                .containsExactly(articles.scope(42, "thumbnail"), articles.scope(42, "text"));
        assertThat(articles.scopesOf(42, List.of("width", "tags"))).containsExactly(articles.scope(42));
        assertThatThrownBy(() -> articles.scope(42, "thumb")).hasMessageContaining("(it has: thumbnail, text)");
    }

    @Test
    void twoKeysNeverHaveOneName() {
        Ownership pairs = Ownership.of("p", "a", "b").editorOwned("x").build();

        assertThat(pairs.scope(List.of("1/2", "3")).entity()).isEqualTo("p/1%2F2/3");
        assertThat(pairs.scope(List.of("1", "2/3")).entity()).isEqualTo("p/1/2%2F3");
        assertThat(pairs.scope(List.of("1%2F2", "3")).entity()).isEqualTo("p/1%252F2/3");
        assertThatThrownBy(() -> pairs.scope(1)).hasMessageContaining("must have 2 values");
    }

    // Merges

    private static Object merged(Merge merge, Object base, Object present, Object proposed) {
        return merge.apply(base, present, proposed);
    }

    @Test
    void aUnionKeepsWhatBothPutInAndTookOut() {
        assertThat(merged(Merge.union(), List.of("a", "b", "c"), List.of("b", "c", "d"), List.of("a", "b", "e")))
                .isEqualTo(List.of("b", "d", "e"));
        assertThat(merged(Merge.union(), null, null, new Object[] {"x"})).isEqualTo(List.of("x"));
        assertThat(merged(Merge.union(), List.of(1L), List.of(1, 2), List.of(1L, 3L)))
                .isEqualTo(List.of(1L, 2L, 3L));
        assertThat(merged(Merge.union(), List.of("a"), List.of("a", "b"), null)).isEqualTo(List.of("b"));
        assertThat(merged(Merge.union(), Collections.singletonList(null), Collections.singletonList(null), List.of()))
                .isEqualTo(List.of());
        assertThatThrownBy(() -> merged(Merge.union(), null, null, "x")).hasMessageContaining("a union is of sets");
    }

    @Test
    void aDeltaIsAdded() {
        assertThat(merged(Merge.delta(), 5, 7L, 6)).hasToString("8");
        assertThat(merged(Merge.delta(), null, null, 3)).hasToString("3");
        assertThat(merged(Merge.delta(), 1.5, 2.0, 2.5)).isEqualTo(3.0);
        assertThat(merged(Merge.delta(), new java.math.BigDecimal("0.1"), 1, new java.math.BigDecimal("0.3")))
                .hasToString("1.2");
        assertThatThrownBy(() -> merged(Merge.delta(), 1, 1, "2")).hasMessageContaining("a delta is of numbers");
    }

    @Test
    void theOthersChooseOne() {
        assertThat(merged(Merge.firstWins(), null, "a", "b")).isEqualTo("a");
        assertThat(merged(Merge.firstWins(), null, null, "b")).isEqualTo("b");
        assertThat(merged(Merge.lastWins(), null, "a", null)).isNull();
        assertThat(merged(Merge.greater(), null, 3, 7L)).isEqualTo(7L);
        assertThat(merged(Merge.greater(), null, "b", "a")).isEqualTo("b");
        assertThat(merged(Merge.greater(), null, null, "a")).isEqualTo("a");
        assertThatThrownBy(() -> merged(Merge.greater(), null, "b", 1)).hasMessageContaining("do not compare");
    }
}
