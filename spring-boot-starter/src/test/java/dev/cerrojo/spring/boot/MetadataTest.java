package dev.cerrojo.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
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

    /** Of all metadata on the class path, Cerrojo's. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> properties() throws IOException {
        List<Map<String, Object>> properties = new ArrayList<>();
        String file = "META-INF/spring-configuration-metadata.json";
        for (URL url : Collections.list(MetadataTest.class.getClassLoader().getResources(file))) {
            try (InputStream in = url.openStream()) {
                Map<String, Object> metadata =
                        JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), UTF_8));
                properties.addAll((List<Map<String, Object>>) metadata.get("properties"));
            }
        }
        properties.removeIf(property -> !property.get("name").toString().startsWith("cerrojo."));
        return properties;
    }
}
