package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Problem;
import dev.cerrojo.explorer.scenario.ScenarioException;
import dev.cerrojo.explorer.spec.SpecToken.Kind;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads specifications of PostgreSQL's isolation tester.
 *
 * <pre>{@code
 * Spec spec = SpecReader.read(Path.of("write-skew.spec"));
 * }</pre>
 */
public final class SpecReader {
    private final String file;
    private final List<SpecToken> tokens;
    private int at;

    private SpecReader(String file, List<SpecToken> tokens) {
        this.file = file;
        this.tokens = tokens;
    }

    /**
     * Reads a file.
     *
     * @param path a text file in UTF-8
     * @return the specification
     * @throws ScenarioException if it cannot be read, or is none; with line, what is wrong and what is allowed
     */
    public static Spec read(Path path) {
        try {
            return parse(path.toString(), Files.readString(path, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw problem(path.toString(), 0, "there is no such file");
        } catch (CharacterCodingException e) {
            throw problem(path.toString(), 0, "the file must be in UTF-8");
        } catch (IOException e) {
            throw problem(path.toString(), 0, "the file cannot be read: " + e);
        }
    }

    /**
     * Reads a text.
     *
     * @param file what messages call it
     * @param text the specification
     * @return the specification
     * @throws ScenarioException if it is none
     */
    public static Spec parse(String file, String text) {
        Spec spec = new SpecReader(file, SpecScanner.scan(file, text)).spec();
        new SpecRules(spec).check();
        return spec;
    }

    private Spec spec() {
        List<SqlBlock> setups = new ArrayList<>();
        while (takes("setup")) {
            setups.add(block("setup"));
        }
        Optional<SqlBlock> teardown = takes("teardown") ? Optional.of(block("teardown")) : Optional.empty();
        List<SpecSession> sessions = new ArrayList<>();
        while (takes("session")) {
            sessions.add(session());
        }
        List<Permutation> permutations = new ArrayList<>();
        while (takes("permutation")) {
            permutations.add(permutation());
        }
        if (here().kind() != Kind.END) {
            throw unexpected(expectedNext(setups, teardown, sessions, permutations));
        }
        return new Spec(file, setups, teardown, sessions, permutations, Optional.empty());
    }

    private static String expectedNext(
            List<SqlBlock> setups,
            Optional<SqlBlock> teardown,
            List<SpecSession> sessions,
            List<Permutation> permutations) {
        if (!permutations.isEmpty()) {
            return "permutation or the end of the file";
        } else if (!sessions.isEmpty()) {
            return "step, teardown of the session, session, permutation or the end of the file";
        } else if (teardown.isPresent()) {
            return "session";
        }
        return setups.isEmpty()
                ? "setup, teardown or session"
                : "setup, teardown or session; setups come before all else";
    }

    private SpecSession session() {
        String name = name("the session's name");
        Optional<SqlBlock> setup =
                takes("setup") ? Optional.of(block("setup of session \"" + name + "\"")) : Optional.empty();
        List<SpecStep> steps = new ArrayList<>();
        while (takes("step")) {
            String step = name("the step's name");
            steps.add(new SpecStep(step, block("step \"" + step + "\"")));
        }
        if (steps.isEmpty()) {
            throw unexpected(setup.isEmpty() ? "setup or step" : "step");
        }
        Optional<SqlBlock> teardown =
                takes("teardown") ? Optional.of(block("teardown of session \"" + name + "\"")) : Optional.empty();
        return new SpecSession(name, setup, steps, teardown);
    }

    private Permutation permutation() {
        int line = before().line();
        List<Permutation.Entry> entries = new ArrayList<>();
        while (here().kind() == Kind.NAME) {
            String step = name("a step's name");
            entries.add(new Permutation.Entry(step, takesSign("(") ? markers() : List.of()));
        }
        if (entries.isEmpty()) {
            throw unexpected("a step's name");
        }
        return new Permutation(entries, line);
    }

    private List<Permutation.Marker> markers() {
        List<Permutation.Marker> markers = new ArrayList<>();
        do {
            markers.add(marker());
        } while (takesSign(","));
        if (!takesSign(")")) {
            throw unexpected("',' or ')'");
        }
        return markers;
    }

    private Permutation.Marker marker() {
        if (takesSign("*")) {
            return new Permutation.Marker.Always();
        }
        String step = name("'*' or a step's name");
        if (!takes("notices")) {
            return new Permutation.Marker.After(step);
        }
        if (here().kind() != Kind.NUMBER || here().text().length() > 9) {
            throw unexpected("a number of notices");
        }
        return new Permutation.Marker.Notices(step, Integer.parseInt(next().text()));
    }

    private SqlBlock block(String of) {
        if (here().kind() != Kind.SQL) {
            throw unexpected("SQL in braces, the " + of);
        }
        SpecToken token = next();
        return new SqlBlock(token.text(), new Position(token.line(), of));
    }

    private String name(String what) {
        if (here().kind() != Kind.NAME) {
            throw unexpected(what
                    + (here().kind() == Kind.KEYWORD ? " (a name that is a keyword must be in double quotes)" : ""));
        }
        return next().text();
    }

    private boolean takes(String keyword) {
        return takes(Kind.KEYWORD, keyword);
    }

    private boolean takesSign(String sign) {
        return takes(Kind.SIGN, sign);
    }

    private boolean takes(Kind kind, String text) {
        boolean found = here().is(kind, text);
        at += found ? 1 : 0;
        return found;
    }

    private SpecToken here() {
        return tokens.get(at);
    }

    private SpecToken before() {
        return tokens.get(at - 1);
    }

    private SpecToken next() {
        return tokens.get(at++);
    }

    private ScenarioException unexpected(String allowed) {
        return problem(file, here().line(), "expected is " + allowed + ", but found was " + here().shown());
    }

    private static ScenarioException problem(String file, int line, String message) {
        return new ScenarioException(List.of(new Problem(file, new Position(line, ""), message)));
    }
}
