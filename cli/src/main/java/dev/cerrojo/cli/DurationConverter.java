package dev.cerrojo.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 30s}, {@code 5m} and {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("ms", ChronoUnit.MILLIS, "s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS);

    @Override
    public Duration convert(String value) {
        Matcher form = FORM.matcher(value.strip());
        if (form.matches()) {
            Duration duration = Duration.of(Long.parseLong(form.group(1)), UNITS.get(form.group(2)));
            if (!duration.isZero()) {
                return duration;
            }
        }
        throw new TypeConversionException(
                "a duration is a positive whole number and a unit: 500ms, 30s, 5m or 1h, but was \"" + value + "\"");
    }
}
