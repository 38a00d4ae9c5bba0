package dev.cerrojo.etcd;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The bodies of requests. Whatever is in them is a number or base64, and needs no escapes. */
final class Requests {
    private Requests() {}

    static String range(KeyRange range) {
        return "{%s}".formatted(range.json());
    }

    static String grant(long seconds) {
        return "{\"TTL\":\"%d\"}".formatted(seconds);
    }

    static String lease(long id) {
        return "{\"ID\":\"%d\"}".formatted(id);
    }

    /** Watches for keys that go, by release or expiry. */
    static String watchDeletions(KeyRange range) {
        return "{\"create_request\":{%s,\"filters\":[\"NOPUT\"]}}".formatted(range.json());
    }

    /** A condition: nothing of a range has come or changed since a revision; with 0, nothing is there. */
    static String unchanged(KeyRange range, long revision) {
        return "{%s,\"target\":\"MOD\",\"result\":\"LESS\",\"mod_revision\":\"%d\"}"
                .formatted(range.json(), revision + 1);
    }

    /** A condition: a key is there, and has a value. */
    static String valueIs(String key, String value) {
        return "{%s,\"target\":\"VALUE\",\"result\":\"EQUAL\",\"value\":\"%s\"}"
                .formatted(KeyRange.one(key).json(), KeyRange.base64(value));
    }

    /** Puts keys with one value if all conditions hold, tied to an etcd lease. */
    static String putIf(Stream<String> conditions, List<String> keys, String value, long lease) {
        String puts = keys.stream()
                .map(key -> "{\"request_put\":{%s,\"value\":\"%s\",\"lease\":\"%d\"}}"
                        .formatted(KeyRange.one(key).json(), KeyRange.base64(value), lease))
                .collect(Collectors.joining(","));
        return "{\"compare\":[%s],\"success\":[%s]}".formatted(conditions.collect(Collectors.joining(",")), puts);
    }
}
