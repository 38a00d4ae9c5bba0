package dev.cerrojo.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * One key, or all that begin with a prefix, as etcd's JSON names them.
 *
 * @param json the members {@code key}, and {@code range_end} when it is a range
 */
record KeyRange(String json) {
    static KeyRange one(String key) {
        return new KeyRange("\"key\":\"%s\"".formatted(base64(key)));
    }

    /**
     * Those that begin with a prefix.
     *
     * @param prefix ends with a character that has a successor of one byte
     */
    static KeyRange startingWith(String prefix) {
        int last = prefix.length() - 1;
        String end = prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
        return new KeyRange("%s,\"range_end\":\"%s\"".formatted(one(prefix).json, base64(end)));
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
