package dev.cerrojo.spring.boot.guide;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class RosterApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RosterApplication.class, arguments);
    }

    @Bean
    Invariant coverage() {
        return Invariant.named("on_call_coverage")
                .says("every shift keeps at least one active doctor")
                .per("shift", "id")
                .atLeast(1, Rows.of("on_call").by("shift_id").where("active"));
    }
}
