package dev.cerrojo.explorer.junit;

import dev.cerrojo.explorer.jdbc.Findings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.function.ThrowingConsumer;

/**
 * The findings, attached to their test: the sentence as a report entry, and a Markdown file with the timeline where JUnit takes
 * files, which is from 5.12. Its type for media types moved in 5.14, so the method is found by its name.
 */
final class Attachment {
    private static final String FILE = "interleavings.md";
    private static final String MARKDOWN = "text/markdown; charset=UTF-8";

    private Attachment() {}

    static void publish(ExtensionContext context, Findings findings) {
        context.publishReportEntry("cerrojo", findings.summary());
        publishFile().ifPresent(method -> publish(context, method, findings));
    }

    private static Optional<Method> publishFile() {
        return Arrays.stream(ExtensionContext.class.getMethods())
                .filter(method -> method.getName().equals("publishFile") && method.getParameterCount() == 3)
                .filter(method -> method.getParameterTypes()[1].getSimpleName().equals("MediaType"))
                .findFirst();
    }

    private static void publish(ExtensionContext context, Method method, Findings findings) {
        ThrowingConsumer<Path> write = path -> Files.writeString(path, findings.markdown(), StandardCharsets.UTF_8);
        try {
            Object type = method.getParameterTypes()[1]
                    .getMethod("parse", String.class)
                    .invoke(null, MARKDOWN);
            method.invoke(context, FILE, type, write);
        } catch (ReflectiveOperationException e) {
            String why =
                    e instanceof InvocationTargetException thrown ? String.valueOf(thrown.getCause()) : e.toString();
            context.publishReportEntry("cerrojo.file", "could not be written: " + why);
        }
    }
}
