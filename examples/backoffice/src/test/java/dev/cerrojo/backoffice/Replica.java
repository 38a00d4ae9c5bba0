package dev.cerrojo.backoffice;

import dev.cerrojo.testsupport.process.ChildJvm;
import dev.cerrojo.testsupport.process.TestProcess;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One process of the service. */
final class Replica implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Pattern USER = Pattern.compile("\\s+(\\S+@\\S+)\\s+(\\S+)");

    private static final String LAST_USER = "member@clinic.example";

    private final TestProcess process;
    private final URI address;

    private Replica(TestProcess process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Starts one, and waits until it answers. */
    static Replica start(Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SERVER_PORT", "0");
        TestProcess process = ChildJvm.start(environment, BackofficeApplication.class);
        Matcher port = PORT.matcher(process.awaitLine(line -> PORT.matcher(line).find()));
        process.awaitLine(line -> line.contains("Started BackofficeApplication"));
        return new Replica(process, URI.create("http://127.0.0.1:" + number(port)));
    }

    private static String number(Matcher port) {
        if (!port.find()) {
            throw new AssertionError("no port");
        }
        return port.group(1);
    }

    URI address() {
        return address;
    }

    /** {@return the demo users' passwords by email, once they are printed: by the first replica only} */
    Map<String, String> passwords() {
        process.awaitLine(line -> line.contains(LAST_USER));
        Map<String, String> passwords = new HashMap<>();
        for (String line : process.lines()) {
            Matcher user = USER.matcher(line);
            if (user.matches()) {
                passwords.put(user.group(1), user.group(2));
            }
        }
        return passwords;
    }

    /** {@return what it has printed, for messages of tests} */
    String output() {
        return String.join("\n", process.lines());
    }

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
