package dev.cerrojo.testsupport.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and a server, and makes the faults of networks. What a method changes holds for the connections that are
 * open and for those to come, until {@link #pass}.
 *
 * <pre>{@code
 * try (TcpProxy proxy = TcpProxy.to("127.0.0.1", port)) {
 *     connectTo(proxy.port());
 *     proxy.cutAfter(Direction.TO_CLIENT, 0); // the next request is done, its answer is lost
 * }
 * }</pre>
 */
public final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final Faults faults = new Faults();
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private final int port;
    private volatile Listener listener;

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
        this.listener = listen(0);
        this.port = listener.channel().socket().getLocalPort();
    }

    /** What accepts connections, and its thread. */
    private record Listener(ServerSocketChannel channel, Thread thread) {
        /** The kernel accepts for as long as a thread is in accept(). */
        void close() {
            try {
                channel.close();
                thread.join();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Starts one, on a free port of this machine, that passes everything on. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(host, port));
    }

    private Listener listen(int on) {
        try {
            ServerSocketChannel channel =
                    ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), on));
            Thread thread = new Thread(() -> accept(channel), "tcp-proxy-accept");
            thread.setDaemon(true);
            thread.start();
            return new Listener(channel, thread);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void accept(ServerSocketChannel channel) {
        while (channel.isOpen()) {
            try {
                SocketChannel client = channel.accept();
                links.removeIf(link -> !link.open());
                links.add(Link.start(client, target, faults));
            } catch (IOException ended) {
                // the listener was closed, or the server refuses
            }
        }
    }

    /** {@return where it listens, at 127.0.0.1} */
    public int port() {
        return port;
    }

    /** {@return how many connections are open} */
    public long connections() {
        return links.stream().filter(Link::open).count();
    }

    /** Passes everything on again, also what was held, and accepts connections again. */
    public void pass() {
        faults.none();
        if (!listener.channel().isOpen()) {
            listener = listen(port);
        }
    }

    /** Lets each piece of data wait, in both directions. */
    public void delay(Duration delay) {
        faults.delay(delay);
    }

    /** Lets nothing through, and says nothing: a black hole. What is held comes through at {@link #pass}, as TCP would repeat it. */
    public void hold() {
        faults.hold();
    }

    /** Resets one connection once that many more bytes have passed in a direction. With 0 to the client, the next answer is lost. */
    public void cutAfter(Direction direction, long bytes) {
        faults.cutAfter(direction, bytes);
    }

    /** Resets all open connections. */
    public void cut() {
        links.forEach(Link::reset);
    }

    /** Ends one direction of all open connections: whoever reads there sees the end, and may write still. */
    public void halfClose(Direction direction) {
        links.forEach(link -> link.halfClose(direction));
    }

    /** Resets all open connections, and refuses new ones. */
    public void refuse() {
        listener.close();
        cut();
    }

    @Override
    public void close() {
        refuse();
        faults.none();
    }
}
