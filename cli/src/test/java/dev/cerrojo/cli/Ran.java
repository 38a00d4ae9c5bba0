package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A command that was run in this JVM.
 *
 * @param exitCode what it ended with
 * @param out what it printed
 * @param err what it printed on the error stream
 */
record Ran(int exitCode, String out, String err) {
    /** Runs a command where no stream is a terminal. */
    static Ran with(Map<String, String> environment, String... args) {
        return new Setup(environment, false).run(args);
    }

    /** Runs a command on a terminal. */
    static Ran onTerminal(Map<String, String> environment, String... args) {
        return new Setup(environment, true).run(args);
    }

    private record Setup(Map<String, String> environment, boolean terminal) {
        Ran run(String... args) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            Map<String, String> variables = new HashMap<>(environment);
            variables.putIfAbsent("COLUMNS", "110");
            Terminal streams =
                    new Terminal(new PrintWriter(out), new PrintWriter(err), terminal, terminal, true, variables);
            int exitCode = Main.run(streams, new Interruption(), args);
            return new Ran(exitCode, out.toString(), err.toString());
        }
    }

    /** {@return the output as JSON, after it was found to be valid} */
    JsonNode json() {
        try (InputStream schema = Main.class.getResourceAsStream("/dev/cerrojo/explorer/report.schema.json")) {
            return json(new String(Objects.requireNonNull(schema).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the same, by the schema in a file} */
    JsonNode json(Path schema) {
        try {
            return json(Files.readString(schema));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode json(String schema) {
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(schema, InputFormat.JSON)
                        .validate(out, InputFormat.JSON))
                .isEmpty();
        return JsonMapper.shared().readTree(out);
    }
}
