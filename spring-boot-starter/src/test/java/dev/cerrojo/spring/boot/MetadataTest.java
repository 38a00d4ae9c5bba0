package dev.cerrojo.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What editors show of the settings. */
class MetadataTest {
    @Test
    void everyPropertyHasADescriptionAndADefault() throws Exception {
        List<Map<String, Object>> properties = properties();
        assertThat(properties).hasSizeGreaterThan(9).allSatisfy(property -> {
            assertThat(property).as("%s", property.get("name")).containsKeys("description", "defaultValue");
            assertThat((String) property.get("description"))
                    .hasSizeGreaterThan(20)
                    .endsWith(".");
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> properties() throws Exception {
        try (InputStream in = MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Map<String, Object> metadata = JsonParserFactory.getJsonParser()
                    .parseMap(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
            return (List<Map<String, Object>>) metadata.get("properties");
        }
    }
}
