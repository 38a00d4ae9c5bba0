package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * One part of an exploration that is split over several machines. Schedules with the same first choices are in the same part;
 * all parts together have every schedule.
 *
 * @param number which part, from 1
 * @param of how many there are
 */
public record Shard(int number, int of) {
    /** The whole. */
    public static final Shard WHOLE = new Shard(1, 1);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

    /** Choices beyond those that tell the shards apart, for parts of like size: of two sessions each doubles their number. */
    private static final int SPREAD = 3;

    /** Checks that it is one of them. */
    public Shard {
        if (of < 1 || number < 1 || number > of) {
            throw new IllegalArgumentException(
                    "a shard must be one of i/n with i from 1 to n, such as 2/4, but was " + number + "/" + of);
        }
    }

    /**
     * Reads a shard.
     *
     * @param text {@code i/n}
     * @return the shard
     * @throws IllegalArgumentException if it is none
     */
    public static Shard parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a shard must be one of i/n with i from 1 to n, such as 2/4, but was " + text);
        }
        return new Shard(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** {@return whether it is only a part} */
    public boolean isPart() {
        return of > 1;
    }

    /** How many of a schedule's first choices decide where it belongs. */
    int depth() {
        return isPart() ? Integer.SIZE - Integer.numberOfLeadingZeros(of - 1) + SPREAD : 0;
    }

    /** Whether a schedule is in this part; a shorter one than {@link #depth} is decided by all its choices. */
    boolean has(List<Choice> choices) {
        if (!isPart()) {
            return true;
        }
        CRC32 sum = new CRC32();
        choices.stream()
                .limit(depth())
                .forEach(choice -> sum.update(choice.toString().getBytes(StandardCharsets.UTF_8)));
        return sum.getValue() % of == number - 1;
    }

    @Override
    public String toString() {
        return number + "/" + of;
    }
}
