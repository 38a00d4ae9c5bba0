package dev.cerrojo.spring.boot;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaNotReadyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at a failed start how Cerrojo's tables get into the database. */
final class SchemaNotReadyFailureAnalyzer extends AbstractFailureAnalyzer<SchemaNotReadyException> {
    private static final String ACTION = """
            One of:
              - with Flyway: spring.flyway.locations=classpath:db/migration,classpath:dev/cerrojo/schema
                (versions 1 to %d are Cerrojo's; with versions of your own, copy the scripts under yours)
              - by hand: ./cerrojo schema install --url …, or ./cerrojo schema print for the SQL
              - for development: cerrojo.schema.mode=create
              - where the tables are not needed: cerrojo.schema.mode=none""";

    @Override
    protected FailureAnalysis analyze(Throwable failed, SchemaNotReadyException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), ACTION.formatted(Schema.version()), cause);
    }
}
