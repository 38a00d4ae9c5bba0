package dev.cerrojo.ownership;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a shared field that two have written.
 *
 * <pre>{@code
 * Ownership articles = Ownership.of("article", "id")
 *         .version("version")
 *         .shared("tags", Merge.union())
 *         .shared("views", Merge.delta())
 *         .build();
 * }</pre>
 *
 * <p>Immutable, for any number of threads, as far as a function of one's own is.
 */
public final class Merge {
    private static final Merge FIRST_WINS = new Merge("first_wins", false, Merges::first);
    private static final Merge LAST_WINS = new Merge("last_wins", false, Merges::last);
    private static final Merge GREATER = new Merge("greater", false, Merges::greater);
    private static final Merge UNION = new Merge("union", true, Merges::union);
    private static final Merge DELTA = new Merge("delta", true, Merges::delta);

    /** Those that have a name of their own. */
    private static final List<Merge> NAMED = List.of(FIRST_WINS, LAST_WINS, GREATER, UNION, DELTA);

    private final String name;
    private final boolean needsBase;
    private final MergeFunction function;

    private Merge(String name, boolean needsBase, MergeFunction function) {
        this.name = name;
        this.needsBase = needsBase;
        this.function = Objects.requireNonNull(function);
    }

    /** {@return keeps what is there unless that is NULL} */
    public static Merge firstWins() {
        return FIRST_WINS;
    }

    /** {@return takes what is written last: only one's own value is ever lost} */
    public static Merge lastWins() {
        return LAST_WINS;
    }

    /** {@return takes the greater of both; NULL is less than all, and numbers of any type compare} */
    public static Merge greater() {
        return GREATER;
    }

    /**
     * {@return takes a set as it is, with what the writer put in since reading it, and without what the writer took out: a
     * three-way merge, of an array column; elements are compared as Java does, so give them in the type that is read}
     */
    public static Merge union() {
        return UNION;
    }

    /** {@return adds to a number what the writer added since reading it; NULL counts as 0} */
    public static Merge delta() {
        return DELTA;
    }

    /**
     * {@return merges by code of one's own}
     *
     * @param name what it is called, in messages and in the database
     * @param function makes the value
     */
    @SuppressWarnings("exports") // users need no JSpecify
    public static Merge by(String name, MergeFunction function) {
        if (named(name).isPresent() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "the name of a merge must be one of its own, but was \"%s\"; taken are %s"
                            .formatted(name, String.join(", ", names())));
        }
        return new Merge(name, true, function);
    }

    /** {@return the merge of a name: {@code first_wins}, {@code last_wins}, {@code greater}, {@code union}, {@code delta}} */
    public static Optional<Merge> named(String name) {
        return NAMED.stream().filter(merge -> merge.name.equals(name)).findFirst();
    }

    /** {@return the names that {@link #named} knows} */
    public static List<String> names() {
        return NAMED.stream().map(Merge::name).toList();
    }

    /** {@return what it is called} */
    public String name() {
        return name;
    }

    /** {@return whether it must be told what the writer had read: only whoever holds the row's lock can make the value} */
    public boolean needsBase() {
        return needsBase;
    }

    @Nullable
    Object apply(@Nullable Object base, @Nullable Object present, @Nullable Object proposed) {
        return function.merge(base, present, proposed);
    }

    @Override
    public String toString() {
        return name;
    }
}
