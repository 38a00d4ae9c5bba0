package dev.cerrojo.explorer.project;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds where a project keeps the changes of its schema. */
final class MigrationFolders {
    private static final Pattern FLYWAY = Pattern.compile("[VR]\\w*__.+\\.(sql|java|kt)");
    private static final Pattern CHANGELOG = Pattern.compile("(?i).*changelog.*\\.(xml|ya?ml|json|sql)");

    private MigrationFolders() {}

    /** {@return folder → the tool, in the order of the paths} */
    static Map<String, String> in(SourceTree tree) {
        Map<String, String> folders = new LinkedHashMap<>();
        for (String path : tree.paths()) {
            tool(path, tree).ifPresent(tool -> folders.putIfAbsent(folder(path, tool), tool));
        }
        return folders;
    }

    private static Optional<String> tool(String path, SourceTree tree) {
        String name = SourceTree.name(path);
        if (FLYWAY.matcher(name).matches()) {
            return Optional.of("Flyway");
        }
        if (CHANGELOG.matcher(name).matches()) {
            return Optional.of("Liquibase");
        }
        if (path.contains("/migrations/") || path.startsWith("migrations/")) {
            return inMigrations(path, name, tree);
        }
        return Optional.empty();
    }

    private static Optional<String> inMigrations(String path, String name, SourceTree tree) {
        if (name.equals("migration.sql")) {
            return Optional.of("Prisma");
        }
        boolean code = name.endsWith(".ts") || name.endsWith(".js");
        return code && tree.text(path).contains("MigrationInterface") ? Optional.of("TypeORM") : Optional.empty();
    }

    /** Each migration of Prisma has a folder of its own. */
    private static String folder(String path, String tool) {
        String folder = SourceTree.folder(path);
        return tool.equals("Prisma") ? SourceTree.folder(folder) : folder;
    }
}
