package dev.cerrojo.testsupport.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Java programs of tests in JVMs of their own, on the class path of this one. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Starts a class's {@code main}. */
    public static TestProcess start(Class<?> program, String... arguments) {
        return start(Map.of(), program, arguments);
    }

    /**
     * Starts a class's {@code main}.
     *
     * @param environment variables beside those of this JVM
     */
    public static TestProcess start(Map<String, String> environment, Class<?> program, String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        words.addAll(List.of(arguments));
        return TestProcess.start(words, environment, Path.of("").toAbsolutePath());
    }
}
