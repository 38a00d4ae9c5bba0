package dev.cerrojo.explorer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Lanes as a picture: where each thing is drawn, in the picture's own units. Time goes down.
 *
 * @param size what sizes it is drawn in
 * @param height its height
 * @param lanes the sessions' lanes
 * @param turns where each turn begins, with its number
 * @param cards what sessions did
 * @param waits the lock waits
 * @param doom where all is lost; negative when that is not shown
 * @param doomLine what stands there, line by line
 * @param bottom where the lanes end
 * @param ends what stands below each lane
 * @param verdict what stands below all of them, line by line
 */
record LaneChart(
        Size size,
        int height,
        List<Lane> lanes,
        List<Label> turns,
        List<Card> cards,
        List<Bar> waits,
        int doom,
        List<String> doomLine,
        int bottom,
        List<End> ends,
        List<Label> verdict) {
    /**
     * Sizes.
     *
     * @param name what the style sheet calls it
     * @param gutter room for the turns' numbers
     * @param lane the width of a lane
     * @param gap the room between lanes
     * @param inset how far a card is from its lane's rail
     * @param padding inside of a card
     * @param line the height of a line
     * @param letter the width of a letter: all are equally wide
     * @param lines how many lines of a statement, or of what came of it, are shown at most
     * @param bound whether the bound values are shown
     */
    record Size(
            String name,
            int gutter,
            int lane,
            int gap,
            int inset,
            int padding,
            int line,
            double letter,
            int lines,
            boolean bound) {
        private static final int WIDEST = 352;
        private static final int NARROWEST = 244;

        /** The page has room for so much without scrolling sideways. */
        private static final int ROOM = 938;

        static final Size NARROW = new Size("narrow", 17, 130, 5, 15, 5, 13, 5.75, 3, false);

        /** {@return sizes for so many lanes: the more, the narrower each, as long as it can be read} */
        static Size wide(int lanes) {
            int gutter = 34;
            int gap = 20;
            int lane = Math.max(NARROWEST, Math.min(WIDEST, (ROOM - gutter) / lanes - gap));
            return new Size("wide", gutter, lane, gap, 24, 11, 18, 7.3, 12, true);
        }

        int x(int lane) {
            return gutter + lane * (this.lane + gap);
        }

        int rail(int lane) {
            return x(lane) + inset / 2 - 2;
        }

        int card(int lane) {
            return x(lane) + inset;
        }

        int cardWidth() {
            return lane - inset;
        }

        int columns() {
            return (int) ((cardWidth() - 2 * padding) / letter);
        }
    }

    /** A lane: its letter, and who it is. */
    record Lane(int index, String letter, int rail, int x, List<Text> head) {}

    /** A line of text, from its baseline. */
    record Text(int x, int y, Phrase phrase) {}

    /** A line of text that stands where all such stand. */
    record Label(int y, String text) {}

    /** What a session did in a turn: on its rail a mark, beside it the text. */
    record Card(int lane, Lanes.Mark mark, int rail, int x, int y, int width, int height, List<Text> lines) {
        /** {@return whether it has a frame: the end of a transaction stands free} */
        boolean framed() {
            return mark == Lanes.Mark.STATEMENT || mark == Lanes.Mark.SNAPSHOT || mark == Lanes.Mark.GOES_ON;
        }

        int middle() {
            return lines.get(0).y() - 4;
        }
    }

    /** A wait: on the rail of who waits, with an arrow to the rail of each blocker. */
    record Bar(int lane, int rail, int top, int height, List<Integer> to) {}

    /** How a session ended. */
    record End(int lane, int rail, int x, int y, int width, Text text) {
        String tone() {
            return HtmlTones.of(text.phrase());
        }
    }

    int width() {
        return size.x(lanes.size()) - size.gap + 2;
    }

    /**
     * Draws.
     *
     * @param doomedAfter after how many choices all is lost, if that is known
     * @param verdict what is violated at the end, in words; empty when nothing is
     */
    static LaneChart of(Lanes lanes, Size size, OptionalInt doomedAfter, String verdict) {
        return new Drawing(lanes, size, doomedAfter).draw(verdict);
    }

    /** Puts one thing below the other. */
    private static final class Drawing {
        private static final String DOOM = "From here on, every way to go on breaks it";

        private final Lanes lanes;
        private final Size size;
        private final OptionalInt doomedAfter;
        private final List<Label> numbers = new ArrayList<>();
        private final List<Card> cards = new ArrayList<>();
        private final int[][] marks;
        private int y;
        private int doom = -1;
        private List<String> doomLine = List.of();

        Drawing(Lanes lanes, Size size, OptionalInt doomedAfter) {
            this.lanes = lanes;
            this.size = size;
            this.doomedAfter = doomedAfter;
            this.marks = new int[lanes.turns().size()][lanes.heads().size()];
        }

        LaneChart draw(String verdict) {
            List<Lane> heads = heads();
            for (int turn = 0; turn < lanes.turns().size(); turn++) {
                doomBefore(lanes.turns().get(turn).number());
                turn(turn);
            }
            doomBefore(Integer.MAX_VALUE);
            int bottom = y + size.line / 2;
            List<End> ends = ends(bottom);
            List<Label> words = words(verdict, bottom + 3 * size.line);
            return new LaneChart(
                    size,
                    bottom + (words.isEmpty() ? 2 : 3 + words.size()) * size.line,
                    heads,
                    numbers,
                    cards,
                    lanes.waits().stream().map(wait -> bar(wait, bottom)).toList(),
                    doom,
                    doomLine,
                    bottom,
                    ends,
                    words);
        }

        private List<Label> words(String text, int top) {
            List<Label> lines = new ArrayList<>();
            if (!text.isEmpty()) {
                Phrase.of(text)
                        .wrapped(columns(), 2)
                        .forEach(line -> lines.add(new Label(top + lines.size() * size.line, line.text())));
            }
            return lines;
        }

        /** How many letters fit into all lanes together. */
        private int columns() {
            return (int) ((size.x(lanes.heads().size()) - size.gutter - 2 * size.gap) / size.letter);
        }

        private List<Lane> heads() {
            List<Lane> heads = new ArrayList<>();
            int lowest = 0;
            for (int lane = 0; lane < lanes.heads().size(); lane++) {
                List<Text> lines = text(lanes.heads().get(lane), size.card(lane), size.line);
                heads.add(new Lane(lane, Words.letter(lane), size.rail(lane), size.x(lane), lines));
                lowest = Math.max(lowest, lines.size());
            }
            y = (lowest + 1) * size.line + size.padding;
            return heads;
        }

        private List<Text> text(List<Phrase> phrases, int x, int top) {
            List<Phrase> lines =
                    phrases.stream().flatMap(phrase -> lines(phrase).stream()).toList();
            List<Text> texts = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                texts.add(new Text(x, top + i * size.line, lines.get(i)));
            }
            return texts;
        }

        /** What is too long for the picture is whole in the list below it. */
        private List<Phrase> lines(Phrase phrase) {
            List<Phrase> lines = phrase.wrapped(size.columns(), 2);
            if (lines.size() <= size.lines) {
                return lines;
            }
            List<Phrase> first = new ArrayList<>(lines.subList(0, size.lines - 1));
            Phrase last = lines.get(size.lines - 1);
            first.add(
                    last.width() < size.columns()
                            ? last.and("…")
                            : last.wrapped(size.columns() - 1, 0).get(0).and("…"));
            return first;
        }

        private void doomBefore(int number) {
            if (doom < 0 && doomedAfter.isPresent() && number > doomedAfter.getAsInt()) {
                doomLine = Phrase.of(DOOM).wrapped(columns(), 0).stream()
                        .map(Phrase::text)
                        .toList();
                doom = y + size.line / 3;
                y = doom + doomLine.size() * size.line + size.line;
            }
        }

        private void turn(int index) {
            Lanes.Turn turn = lanes.turns().get(index);
            numbers.add(new Label(y + size.padding + size.line - 5, String.valueOf(turn.number())));
            int lowest = y;
            for (Lanes.Cell cell : turn.cells()) {
                Card card = card(cell);
                cards.add(card);
                marks[index][cell.session()] = card.middle();
                lowest = Math.max(lowest, y + card.height());
            }
            y = lowest + size.line / 2;
        }

        private Card card(Lanes.Cell cell) {
            int x = size.card(cell.session());
            List<Phrase> shown = cell.lines().stream()
                    .filter(line -> size.bound || !HtmlTones.of(line).equals("faint"))
                    .toList();
            List<Text> lines = text(shown, x + size.padding, y + size.padding + size.line - 5);
            return new Card(
                    cell.session(),
                    cell.mark(),
                    size.rail(cell.session()),
                    x,
                    y,
                    size.cardWidth(),
                    lines.size() * size.line + 2 * size.padding,
                    lines);
        }

        private Bar bar(Lanes.Wait wait, int bottom) {
            int top = marks[wait.from()][wait.session()];
            int end = wait.to() < marks.length ? marks[wait.to()][wait.session()] : bottom;
            return new Bar(
                    wait.session(),
                    size.rail(wait.session()),
                    top,
                    Math.max(size.line, (end == 0 ? bottom : end) - top),
                    wait.blockers().stream().map(size::rail).toList());
        }

        private Phrase inOneLine(Phrase phrase) {
            List<Phrase> lines = phrase.wrapped(size.columns() - 1, 0);
            return lines.size() > 1 ? lines.get(0).and("…") : phrase;
        }

        private List<End> ends(int bottom) {
            List<End> ends = new ArrayList<>();
            for (int lane = 0; lane < lanes.outcomes().size(); lane++) {
                Phrase outcome = inOneLine(lanes.outcomes().get(lane));
                int x = size.card(lane);
                ends.add(new End(
                        lane,
                        size.rail(lane),
                        x,
                        bottom,
                        (int) (outcome.width() * size.letter) + 2 * size.padding,
                        new Text(x + size.padding, bottom + size.line - 3, outcome)));
            }
            return ends;
        }
    }
}
