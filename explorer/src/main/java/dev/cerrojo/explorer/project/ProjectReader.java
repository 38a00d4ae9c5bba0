package dev.cerrojo.explorer.project;

import dev.cerrojo.explorer.project.Project.Fact;
import dev.cerrojo.explorer.project.Project.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a project's own files. Nothing in them is run, and nothing is fetched.
 *
 * <pre>{@code
 * Project project = ProjectReader.read(Path.of("."), List.of("shift", "on_call"));
 * project.writers();
 * }</pre>
 */
public final class ProjectReader {
    private static final Pattern PRISMA_PROVIDER =
            Pattern.compile("datasource\\s+\\w+\\s*\\{[^}]*?provider\\s*=\\s*\"(postgres(?:ql)?)\"");

    private final SourceTree tree;
    private final Map<Kind, List<Fact>> facts = new EnumMap<>(Kind.class);
    private final List<String> unread = new ArrayList<>();

    private ProjectReader(SourceTree tree) {
        this.tree = tree;
    }

    /**
     * Reads a project.
     *
     * @param folder its root
     * @param tables the tables whose writers are looked for, as SQL names them
     * @return what its files say
     * @throws IOException if the folder cannot be read
     */
    public static Project read(Path folder, Collection<String> tables) throws IOException {
        ProjectReader reader = new ProjectReader(SourceTree.of(folder));
        return reader.project(folder, tables);
    }

    private Project project(Path folder, Collection<String> tables) {
        tree.paths().stream().filter(Dependencies::isBuildFile).forEach(this::buildFile);
        Map<String, String> folders = MigrationFolders.in(tree);
        migrations(folders);
        tree.paths().stream().filter(path -> path.endsWith(".prisma")).forEach(this::prisma);
        WriterSearch search = new WriterSearch(tree, folders.keySet(), tables);
        List<Project.Writer> writers = search.writers();
        List<String> notes = new ArrayList<>(unread);
        notes.addAll(tree.notes());
        return new Project(folder.toString(), facts, List.copyOf(tables), writers, search.filesRead(), notes);
    }

    private void buildFile(String path) {
        try {
            Dependencies dependencies = Dependencies.of(path, tree.text(path));
            add(Kind.BUILD_TOOL, new Fact(dependencies.tool(), path, ""));
            for (Sign sign : Sign.ALL) {
                dependencies.names().stream()
                        .filter(sign::isGivenBy)
                        .findFirst()
                        .ifPresent(name -> add(sign.kind(), new Fact(sign.value(), path, name)));
            }
        } catch (Dependencies.UnreadableException e) {
            unread.add(path + " could not be understood, so what it names is unknown: " + e.getMessage());
        }
    }

    /** The first file that says so is evidence enough; Spring Boot is Spring. */
    private void add(Kind kind, Fact fact) {
        List<Fact> known = facts.computeIfAbsent(kind, any -> new ArrayList<>());
        boolean said = known.stream()
                .map(Fact::value)
                .anyMatch(other ->
                        other.equals(fact.value()) || (fact.value().equals("Spring") && other.equals("Spring Boot")));
        if (!said) {
            known.add(fact);
        }
    }

    /** A folder says more than a dependency. */
    private void migrations(Map<String, String> folders) {
        List<Fact> named = facts.getOrDefault(Kind.MIGRATIONS, List.of());
        List<Fact> found = new ArrayList<>();
        folders.forEach((folder, tool) -> found.add(new Fact(tool, folder.isEmpty() ? "." : folder + "/", "")));
        named.stream().filter(fact -> !folders.containsValue(fact.value())).forEach(found::add);
        if (!found.isEmpty()) {
            facts.put(Kind.MIGRATIONS, found);
        }
    }

    private void prisma(String path) {
        Matcher provider = PRISMA_PROVIDER.matcher(tree.text(path));
        if (provider.find()) {
            add(Kind.ORM, new Fact("Prisma", path, ""));
            add(Kind.DRIVER, new Fact("Prisma's own, for PostgreSQL", path, "provider = " + provider.group(1)));
        }
    }
}
