package dev.cerrojo.explorer.project;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of a project that people wrote: without what tools put beside them. Links are not followed. */
final class SourceTree {
    private static final int MOST_FILES = 20_000;
    private static final long LARGEST_BYTES = 1_000_000;
    private static final Set<String> MADE_BY_TOOLS =
            Set.of("node_modules", "target", "build", "dist", "out", "bin", "vendor", "coverage", "generated");
    private static final Set<String> READ = Set.of(
            "java", "kt", "groovy", "scala", "ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx", "sql", "xml",
            "prisma", "json", "gradle", "kts", "toml", "yaml", "yml");

    private final Path root;
    private final List<String> paths = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private SourceTree(Path root) {
        this.root = root;
    }

    static SourceTree of(Path root) throws IOException {
        SourceTree tree = new SourceTree(root);
        Files.walkFileTree(root, tree.new Visitor());
        tree.paths.sort(null);
        return tree;
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = String.valueOf(folder.getFileName());
            boolean skipped = !folder.equals(root) && (name.startsWith(".") || MADE_BY_TOOLS.contains(name));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!attributes.isRegularFile() || !READ.contains(extension(file.toString()))) {
                return FileVisitResult.CONTINUE;
            }
            if (paths.size() == MOST_FILES) {
                notes.add("Only the first %,d files were looked through.".formatted(MOST_FILES));
                return FileVisitResult.TERMINATE;
            }
            if (attributes.size() > LARGEST_BYTES) {
                notes.add(relative(file) + " was left out: it is larger than a megabyte.");
            } else {
                paths.add(relative(file));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (file.equals(root)) {
                throw failure;
            }
            notes.add(relative(file) + " could not be read.");
            return FileVisitResult.CONTINUE;
        }
    }

    private String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    static String extension(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String folder(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** {@return the files, in order, relative to the root, with slashes} */
    List<String> paths() {
        return paths;
    }

    /** {@return what was left out; sentences} */
    List<String> notes() {
        return notes;
    }

    /** {@return a file's text; of one that is not UTF-8, with marks where it is not; empty when it cannot be read} */
    String text(String path) {
        try {
            return new String(Files.readAllBytes(root.resolve(path)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            notes.add(path + " could not be read.");
            return "";
        }
    }
}
