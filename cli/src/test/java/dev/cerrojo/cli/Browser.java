package dev.cerrojo.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A headless Chromium with one page, spoken to by the Chrome DevTools Protocol. Not safe for use by several threads.
 *
 * <p>{@code CERROJO_CHROMIUM} names its executable; otherwise it is looked for on the {@code PATH}.
 */
final class Browser implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path profile;
    private final WebSocket socket;
    private final BlockingQueue<JsonNode> received = new LinkedBlockingQueue<>();
    private final List<String> requests = new java.util.ArrayList<>();
    private String session = "";
    private boolean loaded;
    private int sent;

    private Browser(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address(), new Messages())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** {@return the executable, if there is one} */
    static Optional<Path> executable() {
        String named = System.getenv("CERROJO_CHROMIUM");
        if (named != null) {
            return Optional.of(Path.of(named));
        }
        List<String> names = List.of("chromium", "chromium-browser", "google-chrome");
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser start() {
        try {
            Path profile = Files.createTempDirectory("cerrojo-chromium");
            Process process = new ProcessBuilder(
                            executable().orElseThrow().toString(),
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-dev-shm-usage",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--hide-scrollbars",
                            "--remote-debugging-port=0",
                            "--user-data-dir=" + profile,
                            "about:blank")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Browser browser = new Browser(process, profile);
            browser.attach();
            return browser;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Chromium writes its port and path into its profile, as soon as it listens. */
    private URI address() {
        Path file = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
                if (lines.size() > 1) {
                    return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
                }
                process.waitFor(50, TimeUnit.MILLISECONDS);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        process.destroyForcibly();
        throw new IllegalStateException("Chromium does not listen after " + PATIENCE);
    }

    private void attach() {
        String target = command("Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asString();
        session = command("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asString();
        command("Page.enable", Map.of());
        command("Network.enable", Map.of());
    }

    /** Opens a file, and waits until it is loaded. */
    void open(Path file, String fragment) {
        loaded = false;
        requests.clear();
        command("Page.navigate", Map.of("url", "about:blank"));
        awaitLoad();
        loaded = false;
        command("Page.navigate", Map.of("url", file.toUri() + fragment));
        awaitLoad();
    }

    private void awaitLoad() {
        while (!loaded) {
            take();
        }
    }

    /** {@return the addresses that the page asked for, itself included} */
    List<String> requests() {
        evaluate("1");
        return List.copyOf(requests);
    }

    void size(int width, int height) {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void dark(boolean dark) {
        command(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    void print(boolean print) {
        command("Emulation.setEmulatedMedia", Map.of("media", print ? "print" : ""));
    }

    /** Pages are opened without their scripts from now on; {@link #evaluate} still works. */
    void scripts(boolean on) {
        command("Emulation.setScriptExecutionDisabled", Map.of("value", !on));
    }

    /** {@return the value of a JavaScript expression} */
    JsonNode evaluate(String expression) {
        JsonNode answer = command("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** Makes a picture of an element, with some room around it; of several, from the first to the last. */
    void picture(String selector, int room, Path file) {
        JsonNode box =
                evaluate("(() => { const all = [...document.querySelectorAll(" + JSON.writeValueAsString(selector)
                        + ")].map(e => e.getBoundingClientRect()); const x = Math.min(...all.map(b => b.left)),"
                        + " y = Math.min(...all.map(b => b.top)); return {x: x + scrollX - " + room
                        + ", y: y + scrollY - " + room
                        + ", width: Math.max(...all.map(b => b.right)) - x + 2 * " + room
                        + ", height: Math.max(...all.map(b => b.bottom)) - y + 2 * " + room + "}; })()");
        Map<String, Object> clip = new LinkedHashMap<>();
        List.of("x", "y", "width", "height")
                .forEach(key -> clip.put(key, Math.max(0, box.path(key).asDouble())));
        clip.put("scale", 1);
        String data = command("Page.captureScreenshot", Map.of("clip", clip, "captureBeyondViewport", true))
                .path("data")
                .asString();
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, Base64.getDecoder().decode(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode command(String method, Map<String, ?> params) {
        int id = ++sent;
        Map<String, Object> message = new LinkedHashMap<>(Map.of("id", id, "method", method, "params", params));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        socket.sendText(JSON.writeValueAsString(message), true);
        while (true) {
            JsonNode answer = take();
            if (answer.path("id").asInt(0) == id) {
                if (answer.has("error")) {
                    throw new IllegalStateException(method + ": " + answer.path("error"));
                }
                return answer.path("result");
            }
        }
    }

    private JsonNode take() {
        try {
            JsonNode message = received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (message == null) {
                throw new IllegalStateException("Chromium does not answer within " + PATIENCE);
            }
            String method = message.path("method").asString("");
            loaded |= method.equals("Page.loadEventFired");
            if (method.equals("Network.requestWillBeSent")) {
                requests.add(message.at("/params/request/url").asString());
            }
            return message;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                received.add(JSON.readTree(text.toString()));
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            try (Stream<Path> files = Files.walk(profile)) {
                files.sorted(java.util.Comparator.reverseOrder())
                        .map(Path::toFile)
                        .forEach(File::delete);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
