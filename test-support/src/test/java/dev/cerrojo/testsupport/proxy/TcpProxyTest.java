package dev.cerrojo.testsupport.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.testsupport.process.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private final AtomicLong echoed = new AtomicLong();
    private ServerSocket server;
    private TcpProxy proxy;
    private Socket socket;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        daemon(this::serve);
        proxy = TcpProxy.to("127.0.0.1", server.getLocalPort());
        socket = open();
        assertThat(ask(1)).isEqualTo(1);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        proxy.close();
        server.close();
    }

    @Test
    void dataWaitsAsLongAsToldAndComesThrough() throws IOException {
        proxy.delay(Duration.ofMillis(30));
        long start = System.nanoTime();
        assertThat(ask(2)).isEqualTo(2);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(60));
    }

    @Test
    void heldDataComesWhenItPassesAgain() throws IOException {
        proxy.hold();
        socket.setSoTimeout(100);
        assertThatThrownBy(() -> ask(3)).isInstanceOf(SocketTimeoutException.class);
        assertThat(echoed).hasValue(1);
        socket.setSoTimeout(0);
        proxy.pass();
        assertThat(socket.getInputStream().read()).isEqualTo(3);
    }

    @Test
    void answerIsLostAndTheServerHasDoneItsWork() throws IOException {
        proxy.cutAfter(Direction.TO_CLIENT, 0);
        assertThatThrownBy(() -> ask(4)).isInstanceOf(SocketException.class);
        assertThat(echoed).hasValue(2);
        socket = open();
        assertThat(ask(5)).isEqualTo(5);
    }

    @Test
    void connectionIsCutAfterSoManyBytes() throws IOException {
        proxy.cutAfter(Direction.TO_SERVER, 2);
        assertThat(ask(1)).isEqualTo(1);
        assertThat(ask(2)).isEqualTo(2);
        assertThatThrownBy(() -> ask(3)).isInstanceOf(SocketException.class);
        assertThat(echoed).hasValue(3);
    }

    @Test
    void halfClosedConnectionStillCarriesRequests() throws IOException {
        proxy.halfClose(Direction.TO_CLIENT);
        assertThat(ask(6)).isEqualTo(-1);
        Await.until("the server has the request", () -> echoed.get() == 2);
    }

    @Test
    void refusedClientsComeBackWhenItPasses() throws IOException {
        proxy.refuse();
        assertThatThrownBy(this::open).isInstanceOf(ConnectException.class);
        Await.until("nothing is open", () -> proxy.connections() == 0);
        proxy.pass();
        socket = open();
        assertThat(ask(7)).isEqualTo(7);
    }

    private Socket open() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private int ask(int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                daemon(() -> echo(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void echo(Socket client) {
        try (client) {
            InputStream requests = client.getInputStream();
            for (int value = requests.read(); value >= 0; value = requests.read()) {
                echoed.incrementAndGet();
                client.getOutputStream().write(value);
            }
        } catch (IOException cut) {
            // by the test
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }
}
