package dev.cerrojo.testsupport.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this machine that nobody has at the moment. */
final class FreePorts {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 30_000;
    private static final int TRIES = 200;

    private FreePorts() {}

    /** {@return a port that is free} */
    static int any() {
        return withDistance(0);
    }

    /** {@return a port that is free, as is the one so far above it} */
    static int withDistance(int distance) {
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (free(port) && free(port + distance)) {
                return port;
            }
        }
        throw new IllegalStateException("no port from %d to %d is free".formatted(LOWEST, HIGHEST));
    }

    private static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
