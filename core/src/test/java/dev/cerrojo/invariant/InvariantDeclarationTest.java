package dev.cerrojo.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.invariant.Rule.NoOverlap.Element;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.invariant.Rule.Watch;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InvariantDeclarationTest {
    private static final Rows ON_CALL = Rows.of("on_call").by("shift_id").where("active");

    private final InvariantDeclaration perShift = Invariant.named("coverage")
            .says("a doctor stays")
            .per("shift", "id")
            .where("open");

    @Test
    void saysWhatTheRecordsSay() {
        assertThat(perShift.atLeast(1, ON_CALL))
                .isEqualTo(new Invariant(
                        "coverage",
                        "a doctor stays",
                        Scope.table("shift", "id"),
                        Optional.of("open"),
                        new Rule.AtLeast(1, new Rows("on_call", Optional.of("shift_id"), Optional.of("active")))));
        assertThat(perShift.atMost(3, ON_CALL).rule()).isEqualTo(new Rule.AtMost(3, ON_CALL));
        assertThat(perShift.sumAtLeast(BigDecimal.ONE, "hours", ON_CALL).rule())
                .isEqualTo(new Rule.SumAtLeast(BigDecimal.ONE, "hours", ON_CALL));
        assertThat(perShift.sumAtMost(BigDecimal.TEN, "hours", ON_CALL).rule())
                .isEqualTo(new Rule.SumAtMost(BigDecimal.TEN, "hours", ON_CALL));
    }

    @Test
    void globalScopeIsTheDefault() {
        Invariant manager = Invariant.named("manager").atLeast(1, Rows.of("app_user"));

        assertThat(manager.scope()).isEqualTo(Scope.global());
        assertThat(manager.says()).isEmpty();
        assertThat(manager.where()).isEmpty();
    }

    @Test
    void nativeRulesAndQueries() {
        InvariantDeclaration declared = Invariant.named("room");

        assertThat(declared.unique(Rows.of("room").where("open"), "floor", "number")
                        .rule())
                .isEqualTo(new Rule.Unique("room", List.of("floor", "number"), Optional.of("open")));
        assertThat(declared.noOverlap(Rows.of("booking"), new Element("during", "&&"))
                        .rule())
                .isEqualTo(new Rule.NoOverlap("booking", List.of(new Element("during", "&&")), Optional.empty()));
        assertThat(declared.violatedBy("SELECT 1", Watch.of("room")).rule())
                .isEqualTo(new Rule.ViolatedBy("SELECT 1", List.of(new Watch("room", Optional.empty()))));
        assertThat(Watch.of("room").by("floor + 1").scopeExpression()).contains("floor + 1");
    }

    @Test
    void whatWasSaidBeforeStaysAsItWas() {
        InvariantDeclaration one = Invariant.named("one");
        one.says("another");
        one.per("shift", "id");

        assertThat(one.atLeast(1, Rows.of("t")))
                .isEqualTo(Invariant.named("one").atLeast(1, Rows.of("t")));
    }

    @Test
    void partsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> perShift.atLeast(1, Rows.of("on_call")))
                .isInstanceOf(InvalidInvariantException.class)
                .hasMessageContaining("which column of on_call names the scope");
        assertThatThrownBy(() -> Invariant.named("u").unique(Rows.of("t").by("tenant"), "email"))
                .isInstanceOf(InvalidInvariantException.class)
                .hasMessageContaining("name the scope column tenant: make it one of the columns");
        assertThatThrownBy(() -> Invariant.named("bad name").atLeast(1, Rows.of("t")))
                .isInstanceOf(InvalidInvariantException.class);
    }
}
