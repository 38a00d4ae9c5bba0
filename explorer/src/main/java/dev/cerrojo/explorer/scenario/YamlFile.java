package dev.cerrojo.explorer.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * One YAML document as nodes that know their lines. Nothing is constructed, so no tag can name a type; size and aliases
 * are bounded, so that no small file becomes a large one.
 */
final class YamlFile {
    private static final int MOST_CHARACTERS = 1024 * 1024;
    private static final int MOST_BYTES = 4 * MOST_CHARACTERS;
    private static final int MOST_ALIASES = 100;
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setCodePointLimit(MOST_CHARACTERS)
            .setMaxAliasesForCollections(MOST_ALIASES)
            .setAllowNonScalarKeys(true)
            .build();

    private YamlFile() {}

    static String load(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw failure(file.toString(), 0, "must not be larger than " + MOST_BYTES + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw failure(file.toString(), 0, "must be UTF-8 text, but is not");
        } catch (NoSuchFileException e) {
            throw failure(file.toString(), 0, "no such file");
        } catch (AccessDeniedException e) {
            throw failure(file.toString(), 0, "no permission to read it");
        } catch (IOException e) {
            String why = Files.isDirectory(file) ? "is a directory, not a file" : "cannot be read: " + e.getMessage();
            throw failure(file.toString(), 0, why);
        }
    }

    static Field root(String file, String yaml, Problems problems) {
        Optional<Node> root;
        try {
            root = new Compose(SETTINGS).composeString(yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml);
        } catch (MarkedYamlEngineException e) {
            int line =
                    e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(-1) + 1;
            throw failure(file, line, "is not valid YAML: " + e.getProblem() + hint(e.getProblem()));
        } catch (YamlEngineException e) {
            throw failure(file, 0, "is not valid YAML: " + firstLine(e));
        } catch (StackOverflowError e) {
            throw failure(file, 0, "is not a scenario: it is nested too deeply");
        }
        Node node = root.orElseThrow(() -> failure(file, 0, "is empty"));
        return new Field(node, "", problems);
    }

    private static String hint(String problem) {
        if (problem.contains("another document")) {
            return "; a file holds one scenario, without a second \"---\"";
        } else if (problem.contains("TAB")) {
            return "; indent with spaces";
        } else if (problem.contains("alias")) {
            return "";
        }
        return "; SQL that contains \": \" or \" #\", or begins with a quote or a sign, must be quoted, or written as a"
                + " block with |";
    }

    private static String firstLine(YamlEngineException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static ScenarioException failure(String file, int line, String message) {
        return new ScenarioException(List.of(new Problem(file, new Position(line, ""), message)));
    }
}
