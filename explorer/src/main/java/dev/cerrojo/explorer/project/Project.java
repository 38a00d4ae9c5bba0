package dev.cerrojo.explorer.project;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the files of a project say of it.
 *
 * @param folder the folder as it was named
 * @param facts what was found, each kind's in the order of the files; a kind that is not there was not found
 * @param tables the tables whose writers were looked for, as SQL names them
 * @param writers the files that write them, by path
 * @param filesRead how many source files were looked through
 * @param notes what could not be read, or was left out; sentences
 */
public record Project(
        String folder,
        Map<Kind, List<Fact>> facts,
        List<String> tables,
        List<Writer> writers,
        int filesRead,
        List<String> notes) {
    /** Copies the collections. */
    public Project {
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
        tables = List.copyOf(tables);
        writers = List.copyOf(writers);
        notes = List.copyOf(notes);
    }

    /** What is found out. */
    public enum Kind {
        /** Maven, Gradle, npm. */
        BUILD_TOOL,
        /** Such as Spring Boot, Quarkus, NestJS. */
        FRAMEWORK,
        /** What writes SQL for the program, such as Hibernate, Prisma, TypeORM. */
        ORM,
        /** What talks to PostgreSQL. */
        DRIVER,
        /** Where the schema's changes are. */
        MIGRATIONS
    }

    /**
     * Something found.
     *
     * @param value what it is
     * @param path the file or folder that says so, relative to the project
     * @param by the dependency or word in it that does; empty when it is the file itself
     */
    public record Fact(String value, String path, String by) {}

    /**
     * A file that writes a table, as far as its text shows.
     *
     * @param path relative to the project, with slashes
     * @param use what the file is for
     * @param writes what was found in it, in the order of the lines; at least one
     */
    public record Writer(String path, Use use, List<Write> writes) {
        /** Copies the list. */
        public Writer {
            writes = List.copyOf(writes);
        }
    }

    /**
     * A place that writes a table.
     *
     * @param line from 1
     * @param what the words that were found, on one line
     */
    public record Write(int line, String what) {}

    /** What a file is for. */
    public enum Use {
        /** It is part of the program. */
        PROGRAM,
        /** It changes the schema, once. */
        MIGRATION,
        /** It is run by tests alone. */
        TEST
    }
}
