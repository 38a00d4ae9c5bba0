package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.repair.RepairReport;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A report as one HTML file: it opens from a folder, asks no network, and is read without a script.
 *
 * <pre>{@code
 * HtmlReport report = new HtmlReport("check", "0.1.0");
 * report.add(new CheckReport(result, server.version(), elapsed, List.of()), Optional.empty());
 * Files.writeString(file, report.document());
 * }</pre>
 *
 * <p>Not safe for use by several threads.
 */
public final class HtmlReport {
    static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(
            null, ContentType.Html, HtmlReport.class.getClassLoader(), HtmlReport.class.getPackageName());

    private final String command;
    private final String version;
    private final List<PartView> parts = new ArrayList<>();

    /**
     * Begins a report.
     *
     * @param command what was run, such as {@code check}
     * @param version the version of Cerrojo
     */
    public HtmlReport(String command, String version) {
        this.command = command;
        this.version = version;
    }

    /**
     * What the page shows of one file.
     *
     * @param id an anchor
     * @param failure why nothing was found, if so
     */
    record PartView(
            String id,
            String file,
            String title,
            Optional<CheckView> check,
            Optional<RepairView> repair,
            Optional<String> failure) {}

    /** The whole page. */
    record PageView(String command, String version, List<PartView> parts, String style, String script, String policy) {
        String title() {
            return parts.size() == 1 ? parts.get(0).title() : Words.count(parts.size(), "scenario", "scenarios");
        }
    }

    /**
     * Adds what a check found.
     *
     * @param report what was found
     * @param doom from when on its shortest witness is lost, if that is known
     */
    public void add(CheckReport report, Optional<Doom> doom) {
        part(report, doom, Optional.empty());
    }

    /**
     * Adds what a repair found.
     *
     * @param check what was found in the scenario as it stands: the report's own base
     * @param repair what was found of its repairs
     * @param doom from when on the base's shortest witness is lost, if that is known
     */
    public void add(CheckReport check, RepairReport repair, Optional<Doom> doom) {
        part(check, doom, Optional.of(repair));
    }

    /**
     * Adds a file of which nothing was found.
     *
     * @param file the file as it was named
     * @param message why
     */
    public void addFailure(String file, String message) {
        parts.add(new PartView(
                id(),
                Printable.of(file),
                "Nothing was found",
                Optional.empty(),
                Optional.empty(),
                Optional.of(Printable.lines(message))));
    }

    private void part(CheckReport report, Optional<Doom> doom, Optional<RepairReport> repair) {
        parts.add(new PartView(
                id(),
                Printable.of(report.result().scenario().file()),
                Printable.of(report.result().scenario().title()),
                Optional.of(CheckView.of(id(), report, doom)),
                repair.map(found -> RepairView.of(id(), found)),
                Optional.empty()));
    }

    private String id() {
        return "f" + (parts.size() + 1);
    }

    /** {@return the page} */
    public String document() {
        String style = resource("report.css");
        String script = resource("report.js");
        StringOutput output = new StringOutput();
        TEMPLATES.render(
                "page.jte",
                Map.of("page", new PageView(command, version, parts, style, script, policy(style, script))),
                output);
        return output.toString();
    }

    /** Nothing is loaded from anywhere, and nothing runs but our own few lines. */
    private static String policy(String style, String script) {
        return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script)
                + "'; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
