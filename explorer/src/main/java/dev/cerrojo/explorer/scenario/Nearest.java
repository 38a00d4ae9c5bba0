package dev.cerrojo.explorer.scenario;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
public final class Nearest {
    private Nearest() {}

    /** {@return the suggestion as the tail of a message, and all that is allowed; empty when nothing is allowed} */
    static String hint(String word, Collection<String> allowed) {
        String meant = to(word, allowed)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
        return meant + (allowed.isEmpty() ? "" : " (allowed: " + String.join(", ", allowed) + ")");
    }

    /**
     * Finds the nearest word; case, dashes and blanks do not count.
     *
     * @param word what was written
     * @param allowed what may be written
     * @return the nearest of the allowed words, when it is near enough to have been meant
     */
    public static Optional<String> to(String word, Collection<String> allowed) {
        return allowed.stream()
                .filter(candidate -> distance(word, candidate) <= reach(word))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    private static int reach(String word) {
        return Math.min(Math.max(2, word.length() / 3), Math.max(1, word.length() / 2));
    }

    /** Edits between two words: insert, delete, replace and swap of neighbours; case, dashes and blanks do not count. */
    static int distance(String left, String right) {
        String a = plain(left);
        String b = plain(right);
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int step(int[][] edits, String a, String b, int i, int j) {
        int replace = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
    }

    private static String plain(String word) {
        String bounded = word.length() > 80 ? word.substring(0, 80) : word;
        return bounded.toLowerCase(Locale.ROOT).replace('-', '_').replace(' ', '_');
    }
}
