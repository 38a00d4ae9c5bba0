package dev.cerrojo.spring.boot.web;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version that a client has seen, as the header {@code If-Match} says. As a parameter of a controller's method it makes the header
 * required (428), and one that is no version of ours fails (412).
 *
 * <pre>{@code
 * @PutMapping("/articles/{id}")
 * ResponseEntity<Article> save(@PathVariable int id, ExpectedVersion expected, @RequestBody Article article) {
 *     long version = articles.save(id, expected.version(), article);
 *     return ResponseEntity.ok().eTag(ExpectedVersion.tag(version)).body(article);
 * }
 * }</pre>
 *
 * @param version as the database counts it
 */
public record ExpectedVersion(long version) {
    /** Strong only: RFC 9110 has If-Match compared so. */
    private static final Pattern TAG = Pattern.compile("\\s*\"(0|-?[1-9][0-9]{0,17})\"\\s*");

    /** {@return the entity tag of a version} */
    public static String tag(long version) {
        return "\"" + version + "\"";
    }

    static ExpectedVersion of(Optional<String> header) {
        String given = header.orElseThrow(() -> new ProblemException(
                Problem.PRECONDITION_REQUIRED,
                "This operation needs the header If-Match, with the ETag of what was read before."));
        Matcher tag = TAG.matcher(given);
        if (!tag.matches()) {
            throw new ProblemException(
                    Problem.PRECONDITION_FAILED,
                    "If-Match must be the one strong ETag of what was read before, such as \"7\".");
        }
        return new ExpectedVersion(Long.parseLong(tag.group(1)));
    }
}
