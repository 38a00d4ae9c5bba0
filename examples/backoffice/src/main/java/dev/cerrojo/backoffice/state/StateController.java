package dev.cerrojo.backoffice.state;

import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The page, and what it asks for each second. */
@Controller
class StateController implements WebMvcConfigurer {
    private final StateReader reader;

    StateController(StateReader reader) {
        this.reader = reader;
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/state/**").addResourceLocations("classpath:/state/");
    }

    @GetMapping("/state")
    String page() {
        return "forward:/state/index.html";
    }

    @GetMapping("/state/data")
    ResponseEntity<State> data() {
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(reader.read());
    }
}
