package dev.cerrojo.backoffice.web;

import java.util.Arrays;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What the types of problems lead to. */
@RestController
class ProblemTypesController {
    /**
     * A type of problem.
     *
     * @param status the HTTP status that it comes with
     */
    record ProblemType(String type, int status, String title, String detail) {
        static ProblemType of(Refusal refusal) {
            return new ProblemType(refusal.type(), refusal.status().value(), refusal.title(), refusal.detail());
        }
    }

    @GetMapping("/problems/{name}")
    ProblemType type(@PathVariable String name) {
        return Arrays.stream(Refusal.values())
                .filter(refusal -> refusal.type().equals("/problems/" + name))
                .findFirst()
                .map(ProblemType::of)
                .orElseThrow(() -> Refusal.NOT_FOUND.refused("there is no such type of problem"));
    }
}
