package dev.cerrojo.explorer.scenario;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.ObjectMapper;

/** A JSON Schema as the jar has it. */
record PackagedSchema(String name, String text, Schema schema) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    static PackagedSchema named(String name) {
        try (InputStream in = Objects.requireNonNull(
                ScenarioReader.class.getResourceAsStream("/dev/cerrojo/explorer/" + name), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new PackagedSchema(name, text, REGISTRY.getSchema(text, InputFormat.JSON));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The copy in docs. */
    String documented() throws IOException {
        return Files.readString(Corpus.root().resolve("docs").resolve(name));
    }

    /** What is wrong with the schema itself. */
    List<Error> problems() {
        return REGISTRY.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"))
                .validate(text, InputFormat.JSON);
    }

    /** What it finds wrong with a file. */
    List<Error> errors(String yaml) {
        Object loaded =
                new Load(LoadSettings.builder().setSchema(new CoreSchema()).build()).loadFromString(yaml);
        return schema.validate(JSON.writeValueAsString(loaded), InputFormat.JSON);
    }
}
