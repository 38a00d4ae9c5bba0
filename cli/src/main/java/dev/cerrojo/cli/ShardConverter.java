package dev.cerrojo.cli;

import dev.cerrojo.explorer.search.Shard;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads which part is explored. */
final class ShardConverter implements ITypeConverter<Shard> {
    @Override
    public Shard convert(String value) {
        try {
            return Shard.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
