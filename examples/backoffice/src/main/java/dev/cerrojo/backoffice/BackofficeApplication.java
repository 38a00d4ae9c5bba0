package dev.cerrojo.backoffice;

import dev.cerrojo.backoffice.startup.EmbeddedServers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the service; with PostgreSQL and Redis of its own where none are configured. */
@SpringBootApplication
@EnableScheduling
public class BackofficeApplication {
    /** Takes Spring Boot's arguments, such as {@code --server.port=8081}. */
    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(BackofficeApplication.class);
        application.addInitializers(new EmbeddedServers());
        application.run(arguments);
    }
}
