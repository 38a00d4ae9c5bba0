package dev.cerrojo.testsupport.server;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One command to a Redis server and its answer, in Redis's protocol (RESP2), where the tests' own client would be too much. */
final class RedisReply {
    private static final int TIMEOUT_MILLIS = 5_000;

    private RedisReply() {}

    /** {@return a status, a number or a text} */
    static String to(int port, String... words) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(command(words).getBytes(StandardCharsets.UTF_8));
            return read(new DataInputStream(socket.getInputStream()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String command(String... words) {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            command.append("$%d\r\n%s\r\n".formatted(word.getBytes(StandardCharsets.UTF_8).length, word));
        }
        return command.toString();
    }

    private static String read(DataInputStream answer) throws IOException {
        String line = line(answer);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> new String(answer.readNBytes(Integer.parseInt(rest)), StandardCharsets.UTF_8);
            default -> throw new IllegalStateException("Redis answered " + line);
        };
    }

    private static String line(DataInputStream answer) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = answer.readUnsignedByte(); next != '\r'; next = answer.readUnsignedByte()) {
            line.append((char) next);
        }
        answer.readUnsignedByte(); // the line feed
        return line.toString();
    }
}
