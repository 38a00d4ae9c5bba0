package dev.cerrojo.cli;

import dev.cerrojo.tx.Isolation;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an isolation level: as SQL writes it, with dashes, or by its initials. */
final class IsolationConverter implements ITypeConverter<Isolation> {
    @Override
    public Isolation convert(String value) {
        return switch (value.strip().toLowerCase(Locale.ROOT).replaceAll("[-_\\s]+", " ")) {
            case "read committed", "rc" -> Isolation.READ_COMMITTED;
            case "repeatable read", "rr" -> Isolation.REPEATABLE_READ;
            case "serializable", "ser" -> Isolation.SERIALIZABLE;
            default ->
                throw new TypeConversionException(
                        "an isolation level is read-committed, repeatable-read or serializable, but was \"" + value
                                + "\"");
        };
    }
}
