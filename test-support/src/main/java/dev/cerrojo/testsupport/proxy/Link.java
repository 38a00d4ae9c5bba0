package dev.cerrojo.testsupport.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection of a client, and the proxy's own to the server; a thread for each direction. */
final class Link {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final SocketChannel client;
    private final SocketChannel server;
    private final Faults faults;

    private Link(SocketChannel client, SocketChannel server, Faults faults) {
        this.client = client;
        this.server = server;
        this.faults = faults;
    }

    static Link start(SocketChannel client, InetSocketAddress target, Faults faults) throws IOException {
        try {
            Link link = new Link(client, SocketChannel.open(target), faults);
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            link.server.setOption(StandardSocketOptions.TCP_NODELAY, true);
            for (Direction direction : Direction.values()) {
                link.pump(direction);
            }
            return link;
        } catch (IOException failure) {
            client.close();
            throw failure;
        }
    }

    boolean open() {
        return client.isOpen();
    }

    private void pump(Direction direction) {
        Thread thread = new Thread(() -> run(direction), "tcp-proxy-" + direction);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Direction direction) {
        try {
            copy(direction);
            halfClose(direction);
        } catch (IOException ended) {
            reset();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(Direction direction) throws IOException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (from(direction).read(buffer.clear()) >= 0) {
            buffer.flip();
            int bytes = buffer.remaining();
            int passing = faults.admit(direction, bytes);
            write(direction, buffer.limit(passing));
            if (passing < bytes) {
                reset();
                return;
            }
        }
    }

    /** What comes after a half-close is thrown away. */
    private void write(Direction direction, ByteBuffer data) throws IOException {
        while (data.hasRemaining() && !to(direction).socket().isOutputShutdown()) {
            to(direction).write(data);
        }
    }

    private SocketChannel from(Direction direction) {
        return direction == Direction.TO_SERVER ? client : server;
    }

    private SocketChannel to(Direction direction) {
        return direction == Direction.TO_SERVER ? server : client;
    }

    /** Ends one direction, and both when the other has ended. */
    void halfClose(Direction direction) {
        try {
            if (to(direction).isOpen()) {
                to(direction).shutdownOutput();
            }
            if (client.socket().isOutputShutdown() && server.socket().isOutputShutdown()) {
                close();
            }
        } catch (IOException ended) {
            reset();
        }
    }

    /** Ends both connections by RST: what is on its way is lost. */
    void reset() {
        noLinger(client);
        noLinger(server);
        close();
    }

    private static void noLinger(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException ended) {
            // nothing is on its way any more
        }
    }

    private void close() {
        close(client);
        close(server);
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException ended) {
            // closed all the same
        }
    }
}
