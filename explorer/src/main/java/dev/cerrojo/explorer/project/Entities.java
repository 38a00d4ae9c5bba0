package dev.cerrojo.explorer.project;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The classes and models that stand for tables, and the repositories through which they are written.
 *
 * @param names of classes with {@code @Entity}, and of Prisma's models
 * @param repositories the types made for them
 */
record Entities(Set<String> names, Set<String> repositories) {
    /** The annotation, what is between, and the class that it is about. */
    private static final Pattern CLASS = Pattern.compile(
            "@(?:[\\w.]+\\.)?Entity\\b(\\s*\\([^)]*\\))?(.{0,1500}?)\\b(?:class|record)\\s+(\\w+)", Pattern.DOTALL);

    private static final Pattern TABLE =
            Pattern.compile("@(?:[\\w.]+\\.)?Table\\s*\\([^)]*?\\bname\\s*=\\s*\"([^\"]+)\"", Pattern.DOTALL);

    private static final Pattern NAMED =
            Pattern.compile("^\\s*\\(\\s*(?:\\{[^}]*?\\bname\\s*:\\s*)?[\"'`]([^\"'`]+)[\"'`]");
    private static final Pattern MODEL = Pattern.compile("(?ms)^\\s*model\\s+(\\w+)\\s*\\{(.*?)^\\s*\\}");
    private static final Pattern MAP = Pattern.compile("@@map\\(\\s*(?:name:\\s*)?\"([^\"]+)\"");
    private static final Pattern WORD_BEGINS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    Entities {
        names = new TreeSet<>(names);
        repositories = new TreeSet<>(repositories);
    }

    static Entities of(SourceTree tree, Set<String> tables) {
        Set<String> names = new TreeSet<>();
        List<String> sources = tree.paths().stream()
                .filter(WriterSearch::isCode)
                .map(tree::text)
                .toList();
        sources.forEach(text -> names.addAll(classes(text, tables)));
        tree.paths().stream()
                .filter(path -> path.endsWith(".prisma"))
                .forEach(path -> names.addAll(models(tree.text(path), tables)));
        return new Entities(names, repositories(sources, names));
    }

    private static List<String> classes(String text, Set<String> tables) {
        List<String> names = new ArrayList<>();
        Matcher matcher = CLASS.matcher(text);
        while (matcher.find()) {
            String annotation = matcher.group(1) == null ? "" : matcher.group(1);
            String table = first(TABLE, matcher.group(2))
                    .or(() -> first(TABLE, before(text, matcher.start())))
                    .or(() -> first(NAMED, annotation))
                    .orElse(matcher.group(3));
            if (isOneOf(table, tables)) {
                names.add(matcher.group(3));
            }
        }
        return names;
    }

    /** Annotations may stand in any order: what is behind the end of whatever was before. */
    private static String before(String text, int end) {
        int begin = Math.max(Math.max(text.lastIndexOf(';', end), text.lastIndexOf('}', end)), 0);
        return text.substring(begin, end);
    }

    private static List<String> models(String text, Set<String> tables) {
        List<String> names = new ArrayList<>();
        Matcher matcher = MODEL.matcher(text);
        while (matcher.find()) {
            if (isOneOf(first(MAP, matcher.group(2)).orElse(matcher.group(1)), tables)) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }

    /** As it is, or as the default naming of Hibernate and TypeORM makes a table of a class. */
    private static boolean isOneOf(String table, Set<String> tables) {
        String unqualified = table.substring(table.lastIndexOf('.') + 1);
        String snake = String.join("_", WORD_BEGINS.split(unqualified)).toLowerCase(Locale.ROOT);
        return tables.contains(unqualified.toLowerCase(Locale.ROOT)) || tables.contains(snake);
    }

    private static Set<String> repositories(List<String> sources, Set<String> names) {
        Set<String> repositories = new TreeSet<>();
        if (!names.isEmpty()) {
            Pattern declared = declaration(alternatives(names));
            for (String text : sources) {
                Matcher matcher = declared.matcher(text);
                while (matcher.find()) {
                    repositories.add(matcher.group(1));
                }
            }
        }
        return repositories;
    }

    /** {@return the head of a class or interface that is made for one of some types} */
    static Pattern declaration(String names) {
        return Pattern.compile("\\b(?:class|interface)\\s+(\\w+)[^{;]*?<\\s*(?:" + names + ")\\b[^{]*");
    }

    static String alternatives(Set<String> names) {
        return names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
