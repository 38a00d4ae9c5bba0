package dev.cerrojo.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script in Lua. It runs on Redis 6.2 and later, and on Valkey.
 *
 * @param text what EVAL takes
 * @param sha its SHA-1, 40 hexadecimal digits, which EVALSHA takes
 */
public record RedisScript(String text, String sha) {
    static RedisScript of(String text) {
        return new RedisScript(text, sha1(text));
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("each Java platform has SHA-1", impossible);
        }
    }
}
