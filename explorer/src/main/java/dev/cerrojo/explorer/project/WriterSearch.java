package dev.cerrojo.explorer.project;

import dev.cerrojo.explorer.project.Project.Use;
import dev.cerrojo.explorer.project.Project.Write;
import dev.cerrojo.explorer.project.Project.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds, by their text alone, the files that write some tables. */
final class WriterSearch {
    private static final Set<String> CODE =
            Set.of("java", "kt", "groovy", "scala", "ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "jsx");
    private static final Set<String> SQL = Set.of("sql", "xml");
    private static final int LONGEST = 70;

    /** Methods that write, of repositories, entity managers and entities. */
    private static final String VERBS = "(?:save\\w*|persist\\w*|merge|remove\\w*|delete\\w*|softDelete\\w*|insert\\w*"
            + "|update\\w*|upsert\\w*|increment|decrement|flush)";

    private static final Pattern TEST =
            Pattern.compile("(^|.*/)(test|tests|__tests__|e2e|src/test)/.*|.*\\.(spec|test|e2e-spec)\\.\\w+");

    private final SourceTree tree;
    private final Set<String> migrations;
    private final Set<String> tables = new TreeSet<>();
    private final Entities entities;
    private int filesRead;

    /**
     * Makes a search.
     *
     * @param migrations the folders of migrations
     * @param tables the tables, as SQL names them
     */
    WriterSearch(SourceTree tree, Set<String> migrations, Collection<String> tables) {
        this.tree = tree;
        this.migrations = migrations;
        tables.forEach(table -> this.tables.add(plain(table)));
        this.entities = Entities.of(tree, this.tables);
    }

    /** Without schema and quotes. */
    private static String plain(String table) {
        return table.substring(table.lastIndexOf('.') + 1).replace("\"", "").toLowerCase(Locale.ROOT);
    }

    static boolean isCode(String path) {
        return CODE.contains(SourceTree.extension(path));
    }

    int filesRead() {
        return filesRead;
    }

    List<Writer> writers() {
        List<Writer> writers = new ArrayList<>();
        if (tables.isEmpty()) {
            return writers;
        }
        List<Pattern> everywhere = List.of(sql());
        for (String path : tree.paths()) {
            if (isCode(path) || SQL.contains(SourceTree.extension(path))) {
                filesRead++;
                String text = tree.text(path);
                List<Pattern> patterns = new ArrayList<>(everywhere);
                if (isCode(path)) {
                    patterns.addAll(inCode(text));
                }
                List<Write> writes = writes(text, patterns);
                if (!writes.isEmpty()) {
                    writers.add(new Writer(path, use(path), writes));
                }
            }
        }
        return writers;
    }

    private Use use(String path) {
        boolean migrates = migrations.stream().anyMatch(folder -> folder.isEmpty() || path.startsWith(folder + "/"));
        return migrates ? Use.MIGRATION : TEST.matcher(path).matches() ? Use.TEST : Use.PROGRAM;
    }

    /** Statements of SQL, and of the query languages in which entities stand for tables. */
    private Pattern sql() {
        Set<String> named = new TreeSet<>(tables);
        named.addAll(entities.names());
        String table =
                "(?:only\\s+)?(?:[\"`\\\\\\w]+\\.)?[\"`\\\\]*(?:" + Entities.alternatives(named) + ")\\b[\"`\\\\]*";
        return Pattern.compile(
                "\\b(?:(?:insert\\s+into|delete\\s+from|delete|merge\\s+into|truncate(?:\\s+table)?)\\s+" + table
                        + "|update\\s+" + table + "(?=.{0,120}?\\bset\\b)|copy\\s+" + table
                        + "(?=.{0,200}?\\bfrom\\b))",
                Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    private List<Pattern> inCode(String text) {
        List<Pattern> patterns = new ArrayList<>();
        if (entities.names().isEmpty()) {
            return patterns;
        }
        String names = Entities.alternatives(entities.names());
        Set<String> variables = variables(text, names);
        if (!variables.isEmpty()) {
            patterns.add(Pattern.compile(
                    "\\b(?:" + Entities.alternatives(variables) + ")\\s*\\??\\.\\s*" + VERBS + "\\s*\\("));
        }
        patterns.add(Pattern.compile("\\b(?:" + names + ")\\s*\\.\\s*" + VERBS + "\\s*\\("));
        patterns.add(Pattern.compile("\\bgetRepository\\(\\s*(?:" + names + ")\\s*\\)\\s*\\.\\s*" + VERBS + "\\s*\\("));
        patterns.add(Pattern.compile("\\." + VERBS + "\\(\\s*(?:new\\s+)?(?:" + names + ")\\b"));
        patterns.add(Pattern.compile("\\.(?:into|from)\\(\\s*(?:" + names + ")\\b(?=\\s*\\))"));
        patterns.add(delegates());
        if (Entities.declaration(names).matcher(text).find()) {
            patterns.add(Pattern.compile("(?<![.\\w])" + VERBS + "\\s*\\("));
        }
        if (Pattern.compile("\\b(?:" + names + ")\\b").matcher(text).find()) {
            patterns.add(Pattern.compile(
                    "\\b(?:em|entityManager|session|manager)\\s*\\.\\s*(?:persist|merge|remove|save)\\s*\\("));
        }
        return patterns;
    }

    /** Prisma writes a model through a property of its client that is named like it. */
    private Pattern delegates() {
        Set<String> properties = new TreeSet<>();
        entities.names()
                .forEach(name -> properties.add(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1)));
        return Pattern.compile("\\w*\\s*\\.\\s*(?:" + Entities.alternatives(properties)
                + ")\\s*\\.\\s*(?:create\\w*|update\\w*|upsert|delete\\w*)\\s*\\(");
    }

    /** Variables that are declared as an entity's repository, before the name as in Java or behind it as in TypeScript. */
    private Set<String> variables(String text, String names) {
        String types = "(?:\\w*(?:Repository|Dao)\\w*\\s*<\\s*(?:" + names + ")\\b[^>]*>"
                + (entities.repositories().isEmpty()
                        ? ""
                        : "|\\b(?:" + Entities.alternatives(entities.repositories()) + ")\\b")
                + ")";
        Set<String> variables = new LinkedHashSet<>();
        collect(Pattern.compile(types + "\\s+(\\w+)\\s*[;,)=]"), text, variables);
        collect(Pattern.compile("(\\w+)\\s*:\\s*" + types), text, variables);
        return variables;
    }

    private static void collect(Pattern pattern, String text, Set<String> found) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
    }

    private static List<Write> writes(String text, List<Pattern> patterns) {
        Map<Integer, String> byLine = new TreeMap<>();
        for (Pattern pattern : patterns) {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                byLine.putIfAbsent(line(text, matcher.start()), words(matcher.group()));
            }
        }
        List<Write> writes = new ArrayList<>();
        byLine.forEach((line, what) -> writes.add(new Write(line, what)));
        return writes;
    }

    private static int line(String text, int offset) {
        return 1
                + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }

    private static String words(String found) {
        String line = found.strip().replaceAll("\\s+", " ");
        String shown = line.endsWith("(") ? line + ")" : line;
        return shown.length() > LONGEST ? shown.substring(0, LONGEST) + "..." : shown.replaceFirst("^\\.\\s*", "");
    }
}
