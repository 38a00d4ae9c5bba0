package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.ReplayToken;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Command lines for a POSIX shell. */
final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    static String replay(String file, List<String> options, ReplayToken token) {
        List<String> words = new ArrayList<>(List.of("./cerrojo", "check"));
        words.addAll(options);
        words.addAll(List.of("--replay", token.toString(), file));
        return line(words);
    }

    static String line(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
