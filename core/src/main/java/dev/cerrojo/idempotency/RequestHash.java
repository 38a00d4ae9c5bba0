package dev.cerrojo.idempotency;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The SHA-256 of what was asked for: the same key with another one is a mistake of the client's, not a repetition.
 *
 * <p>Of the raw bytes by default. Of canonical JSON where clients write the same value in different ways, such as with its members in
 * another order.
 */
public final class RequestHash {
    private static final int BYTES = 32;

    private final byte[] sha256;

    private RequestHash(byte[] sha256) {
        this.sha256 = sha256;
    }

    /** {@return the hash of bytes as they came} */
    public static RequestHash ofBytes(byte[] request) {
        return new RequestHash(digest().digest(request));
    }

    /** {@return the hash of a text's UTF-8} */
    public static RequestHash ofText(String request) {
        return ofBytes(request.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@return the hash of a JSON text in its canonical form (RFC 8785): the order of members and the white space do not count}
     *
     * @throws InvalidJsonException when it is not JSON (RFC 8259), an object has two members of one name, a string is not Unicode, or
     *     a number cannot be represented exactly: two that differ would look the same
     */
    public static RequestHash ofCanonicalJson(String json) {
        return ofText(CanonicalJson.of(json));
    }

    /**
     * {@return the hash that a store has kept}
     *
     * @param sha256 32 bytes
     */
    public static RequestHash fromSha256(byte[] sha256) {
        if (sha256.length != BYTES) {
            throw new IllegalArgumentException("a SHA-256 has 32 bytes, but this has " + sha256.length);
        }
        return new RequestHash(sha256.clone());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("each Java platform has SHA-256", impossible);
        }
    }

    /** {@return its 32 bytes} */
    public byte[] sha256() {
        return sha256.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestHash hash && Arrays.equals(sha256, hash.sha256);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sha256);
    }

    /** {@return its 64 hexadecimal digits, in lower case} */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(sha256);
    }
}
