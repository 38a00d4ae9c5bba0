package dev.cerrojo.tx;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between the driver and the server, and counts how often the driver sends something: it does so at once, then waits. */
final class RoundTrips implements AutoCloseable {
    private final ServerSocket door;
    private final AtomicInteger count = new AtomicInteger();

    RoundTrips(String host, int port) throws IOException {
        door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> serve(host, port), "round-trips");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return door.getLocalPort();
    }

    /** How many there were since the last time it was asked. */
    int count() {
        return count.getAndSet(0);
    }

    private void serve(String host, int port) {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(host, port);
                daemon(() -> server.getInputStream().transferTo(client.getOutputStream()));
                daemon(() -> ask(client.getInputStream(), server.getOutputStream()));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private interface Transfer {
        void run() throws IOException;
    }

    private static void daemon(Transfer transfer) {
        Thread thread = new Thread(() -> {
            try {
                transfer.run();
            } catch (IOException e) {
                // one side has hung up
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void ask(InputStream from, OutputStream to) throws IOException {
        byte[] sent = new byte[1 << 16];
        for (int length = from.read(sent); length > 0; length = from.read(sent)) {
            count.incrementAndGet();
            to.write(sent, 0, length);
            to.flush();
        }
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
