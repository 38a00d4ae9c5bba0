package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.fix.FileConflictException;
import dev.cerrojo.explorer.fix.FixWriter;
import dev.cerrojo.explorer.fix.WrittenFile;
import dev.cerrojo.explorer.fix.WrittenFix;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.report.CheckReport;
import dev.cerrojo.explorer.report.HtmlReport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes the fix that a repair found.
 *
 * @param folder where
 * @param force whether files that differ are replaced
 * @param inside whether what holds between statements is tried inside of them too
 */
record WriteTask(Path folder, boolean force, Repairer.Inside inside) {
    WrittenFix write(CheckReport check, RepairReport report, Optional<Doom> doom, Bench bench) throws SQLException {
        FixWriter writer = new FixWriter(bench.server(), bench.checker(), inside, folder, force);
        try {
            WrittenFix fix = writer.write(report, files -> Map.of("html", html(check, report, doom)));
            bench.print(look -> text(fix));
            return fix;
        } catch (FileConflictException e) {
            throw new CommandFailedException(ExitCode.USAGE, "nothing was written: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailedException(ExitCode.ENVIRONMENT, "nothing was written into " + folder + ": " + e, e);
        }
    }

    private static String html(CheckReport check, RepairReport report, Optional<Doom> doom) {
        HtmlReport page = new HtmlReport("repair", Version.text());
        page.add(check, report, doom);
        return page.document();
    }

    static int exitCode(WrittenFix fix) {
        return switch (fix.outcome()) {
            case WRITTEN, NOT_NEEDED -> ExitCode.OK;
            case NO_REPAIR, NOT_PROVEN -> ExitCode.VIOLATED;
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
        };
    }

    /** {@return the files that are there now} */
    static List<Path> written(WrittenFix fix) {
        return fix.outcome() == WrittenFix.Outcome.WRITTEN
                ? fix.files().stream().map(WrittenFile::path).toList()
                : List.of();
    }

    /** {@return what a JSON report says of it} */
    static Map<String, Object> json(WrittenFix fix) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("outcome", word(fix.outcome()));
        json.put("folder", fix.folder().toString());
        json.put("files", fix.files().stream().map(WriteTask::json).toList());
        json.put("proven", fix.proven());
        json.put("notes", fix.notes());
        return json;
    }

    private static Map<String, Object> json(WrittenFile file) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", file.path().toString());
        json.put("what", file.what());
        json.put("state", word(file.state()));
        file.before().ifPresent(before -> json.put("before", before.toString()));
        return json;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String text(WrittenFix fix) {
        StringBuilder text = new StringBuilder();
        if (fix.outcome() == WrittenFix.Outcome.WRITTEN) {
            text.append("The fix, written into ").append(fix.folder()).append('\n');
            text.append(table(fix.files()));
            text.append("\nProven of these very files\n").append(items(fix.proven()));
        } else {
            text.append("Nothing was written into ").append(fix.folder()).append('\n');
        }
        if (!fix.notes().isEmpty()) {
            text.append(items(fix.notes()));
        }
        return text.append('\n').toString();
    }

    private static String table(List<WrittenFile> files) {
        int width = files.stream().mapToInt(file -> name(file).length()).max().orElse(0);
        return files.stream()
                .map(file -> "  %-9s  %s  %s%s%n"
                        .formatted(
                                word(file.state()),
                                padded(name(file), width),
                                file.what(),
                                file.before()
                                        .map(before -> "; what was there is " + before.getFileName())
                                        .orElse("")))
                .collect(Collectors.joining());
    }

    private static String padded(String name, int width) {
        return name + " ".repeat(width - name.length());
    }

    private static String name(WrittenFile file) {
        return String.valueOf(file.path().getFileName());
    }

    private static String items(List<String> sentences) {
        return sentences.stream().map(sentence -> "  - " + sentence + "\n").collect(Collectors.joining());
    }
}
