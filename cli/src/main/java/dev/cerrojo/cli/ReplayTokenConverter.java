package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.ReplayToken;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a schedule to replay. */
final class ReplayTokenConverter implements ITypeConverter<ReplayToken> {
    @Override
    public ReplayToken convert(String value) {
        try {
            return ReplayToken.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
