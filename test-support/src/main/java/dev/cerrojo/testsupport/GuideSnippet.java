package dev.cerrojo.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Java of a guide, which is to be that of a compiled source.
 *
 * @param file the source that the comment before it names, from the folder of sources on; "null" when there is none
 * @param code what is in the guide
 */
public record GuideSnippet(String file, String code) {
    private static final Path GUIDES = Path.of("..", "docs", "guide");
    private static final Pattern SNIPPET =
            Pattern.compile("(?:<!-- (\\S+\\.java) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

    /** {@return all Java of a guide, in its order} */
    public static List<GuideSnippet> of(String guide) throws IOException {
        return SNIPPET.matcher(Files.readString(GUIDES.resolve(guide)))
                .results()
                .map(GuideSnippet::of)
                .toList();
    }

    private static GuideSnippet of(MatchResult match) {
        return new GuideSnippet(String.valueOf(match.group(1)), match.group(2));
    }

    /** {@return whether it is part of the source that it names, however deep it is indented} */
    public boolean isIn(Path sources) throws IOException {
        return file.endsWith(".java")
                && flat(Files.readString(sources.resolve(file))).contains(flat(code));
    }

    private static String flat(String code) {
        return code.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n", "\n", "\n"));
    }
}
