package dev.cerrojo.explorer.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.serial.Part.Reading;
import dev.cerrojo.explorer.serial.SerialJudgement.Kind;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SerialOracleTest {
    private static final Rows.Column ID = new Rows.Column("id", Optional.of("item_id_seq"));
    private static final Rows.Column ITEM = new Rows.Column("item", Optional.of("item_id_seq"));
    private static final Rows.Column NAME = Rows.Column.plain("name");

    /** What serial orders end with, by the sessions in order. */
    private final Map<List<Integer>, Observation> serial = new HashMap<>();

    private final List<List<Turn>> asked = new ArrayList<>();

    private Optional<Observation> run(List<Turn> turns) {
        asked.add(turns);
        return Optional.ofNullable(serial.get(turns.stream().map(Turn::session).toList()));
    }

    private SerialOracle oracle() {
        return new SerialOracle(this::run, Map.of());
    }

    @Test
    void anOutcomeOfTheSecondOrderIsSerial() {
        serial.put(List.of(0, 1), total("1"));
        serial.put(List.of(1, 0), total("2"));

        SerialJudgement judgement = oracle().judge(total("2"));

        assertThat(judgement).isEqualTo(new SerialJudgement(Kind.SERIAL, List.of(1, 0), List.of()));
    }

    @Test
    void anAnomalyNamesTheClosestOrderAndHowItDiffers() {
        serial.put(List.of(0, 1), observation(items("a", "b"), read("3"), read("4")));
        serial.put(List.of(1, 0), observation(items("a", "c"), read("1"), read("4")));

        SerialJudgement judgement = oracle().judge(observation(items("a", "c"), read("1"), read("2")));

        assertThat(judgement.isAnomalous()).isTrue();
        assertThat(judgement.order()).containsExactly(1, 0);
        assertThat(judgement.differences()).containsExactly(new Difference("session 1", "(2)", "(4)"));
    }

    @Test
    void ordersAreRunOnce() {
        serial.put(List.of(0, 1), total("1"));
        serial.put(List.of(1, 0), total("2"));
        SerialOracle oracle = oracle();

        oracle.judge(total("1"));
        assertThat(asked).hasSize(1);
        oracle.judge(total("3"));
        oracle.judge(total("2"));
        assertThat(asked).hasSize(2);
    }

    @Test
    void aSessionThatTookNoEffectMustBeAsIfItHadNotRun() {
        Observation undone = new Observation(Map.of("item", items("b")), List.of(Part.NONE, read("1")));
        Observation leaves = new Observation(Map.of("item", items("a", "b")), List.of(Part.NONE, read("1")));
        serial.put(List.of(1), undone);
        SerialOracle oracle = oracle();

        assertThat(oracle.judge(undone).kind()).isEqualTo(Kind.SERIAL);
        assertThat(oracle.judge(leaves).differences()).containsExactly(new Difference("table item", "(a)", ""));
    }

    @Test
    void onlyTheUnitsThatTookEffectAreRun() {
        oracle().judge(new Observation(Map.of(), List.of(new Part(List.of(2, 3), List.of()))));

        assertThat(asked).containsExactly(List.of(new Turn(0, List.of(2, 3))));
    }

    @Test
    void anOrderThatCannotRunIsNoReference() {
        serial.put(List.of(1, 0), total("2"));

        assertThat(oracle().judge(total("2")).kind()).isEqualTo(Kind.SERIAL);
        assertThat(oracle().judge(total("1")).order()).containsExactly(1, 0);
    }

    @Test
    void anOutcomeWithoutAnyReferenceIsAnomalous() {
        assertThat(oracle().judge(total("1"))).isEqualTo(new SerialJudgement(Kind.ANOMALOUS, List.of(), List.of()));
    }

    @Test
    void theOrderOfRowsDoesNotCountButTheirNumberDoes() {
        serial.put(List.of(0), observation(items("a", "b", "b"), read("1")));
        SerialOracle oracle = oracle();

        assertThat(oracle.judge(observation(items("b", "a", "b"), read("1"))).kind())
                .isEqualTo(Kind.SERIAL);
        assertThat(oracle.judge(observation(items("b", "a"), read("1"))).differences())
                .containsExactly(new Difference("table item", "", "(b)"));
    }

    @Test
    void nullIsNotTheTextNull() {
        serial.put(List.of(0), observation(new Rows(List.of(NAME), List.of(Arrays.asList((String) null))), read("1")));

        assertThat(oracle().judge(observation(items("null"), read("1"))).differences())
                .containsExactly(new Difference("table item", "(null)", "(NULL)"));
    }

    @Test
    void newNumbersOfASequenceMeanNothing() {
        serial.put(List.of(0), observation(numbered("7", "a", "8", "b"), readId("8")));

        assertThat(oracle().judge(observation(numbered("9", "a", "7", "b"), readId("7")))
                        .kind())
                .isEqualTo(Kind.SERIAL);
    }

    @Test
    void whatANumberRefersToCounts() {
        serial.put(List.of(0), observation(numbered("7", "a", "8", "b"), readId("8")));

        assertThat(oracle().judge(observation(numbered("7", "a", "8", "b"), readId("7")))
                        .isAnomalous())
                .isTrue();
    }

    @Test
    void aNumberIsFollowedThroughForeignKeys() {
        serial.put(List.of(0), references(numbered("1", "x", "2", "y"), "1", "2"));
        SerialOracle oracle = oracle();

        assertThat(oracle.judge(references(numbered("5", "x", "6", "y"), "5", "6"))
                        .kind())
                .isEqualTo(Kind.SERIAL);
        assertThat(oracle.judge(references(numbered("5", "x", "6", "y"), "6", "6"))
                        .isAnomalous())
                .isTrue();
    }

    @Test
    void numbersOfTheStartStateStayWhatTheyAre() {
        serial.put(List.of(0), observation(numbered("1", "left", "2", "stays"), read("1")));
        SerialOracle oracle = new SerialOracle(this::run, Map.of("item", numbered("1", "stays", "2", "stays")));

        assertThat(oracle.judge(observation(numbered("1", "stays", "2", "left"), read("1")))
                        .isAnomalous())
                .isTrue();
    }

    @Test
    void whatDiffersBetweenTwoRunsOfOneOrderIsNotCompared() {
        List<Observation> runs = new ArrayList<>(List.of(total("8 o'clock"), total("9 o'clock"), total("10 o'clock")));
        SerialOracle oracle = new SerialOracle(turns -> Optional.of(runs.remove(0)), Map.of());

        assertThat(oracle.ignoreUnrepeatable(List.of(new Turn(0, List.of(0)), new Turn(1, List.of(0)))))
                .containsExactly(new Difference("session 0", "(8 o'clock)", "(9 o'clock)"));
        assertThat(oracle.judge(total("11 o'clock")).kind()).isEqualTo(Kind.SERIAL);
    }

    @Test
    void ofTooManySessionsNothingIsSaidButYes() {
        Part[] parts = new Part[8];
        Arrays.fill(parts, read("1"));
        Observation seen = observation(items("a"), parts);
        assertThat(oracle().judge(seen).kind()).isEqualTo(Kind.UNDECIDED);
        assertThat(asked).hasSize(2);

        serial.put(List.of(0, 1, 2, 3, 4, 5, 6, 7), seen);
        assertThat(oracle().judge(seen).kind()).isEqualTo(Kind.SERIAL);
    }

    @Test
    void aRowHasAValuePerColumn() {
        assertThatThrownBy(() -> new Rows(List.of(NAME), List.of(List.of("a", "b"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a row must have 1 values, but had 2: [a, b]");
    }

    private static Observation total(String read) {
        return observation(items("a"), read(read), read("same"));
    }

    private static Observation observation(Rows items, Part... parts) {
        List<Part> named = new ArrayList<>();
        for (Part part : parts) {
            Rows read = part.readings().get(0).rows();
            named.add(new Part(part.units(), List.of(new Reading("session " + named.size(), read))));
        }
        return new Observation(Map.of("item", items), named);
    }

    private static Observation references(Rows items, String... ids) {
        Rows parts = new Rows(List.of(ITEM), Arrays.stream(ids).map(List::of).toList());
        return new Observation(Map.of("item", items, "part", parts), List.of(read("1")));
    }

    private static Part read(String value) {
        return new Part(List.of(0), List.of(new Reading("session", Rows.of("value", value))));
    }

    private static Part readId(String id) {
        return new Part(List.of(0), List.of(new Reading("session", new Rows(List.of(ID), List.of(List.of(id))))));
    }

    private static Rows items(String... names) {
        return new Rows(List.of(NAME), Arrays.stream(names).map(List::of).toList());
    }

    private static Rows numbered(String... idsAndNames) {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < idsAndNames.length; i += 2) {
            rows.add(List.of(idsAndNames[i], idsAndNames[i + 1]));
        }
        return new Rows(List.of(ID, NAME), new ArrayList<>(rows));
    }
}
