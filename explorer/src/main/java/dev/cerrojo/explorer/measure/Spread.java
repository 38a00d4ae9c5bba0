package dev.cerrojo.explorer.measure;

import java.util.Collection;
import java.util.List;

/**
 * The middle of several measurements, and how far they lie apart.
 *
 * @param median the middle one; the mean of the middle two of an even number
 * @param low the lower quartile
 * @param high the upper quartile
 */
public record Spread(double median, double low, double high) {
    private static final double MIDDLE = 0.5;
    private static final double QUARTER = 0.25;

    /**
     * {@return the spread of measurements}
     *
     * @throws IllegalArgumentException without any
     */
    public static Spread of(Collection<Double> measurements) {
        if (measurements.isEmpty()) {
            throw new IllegalArgumentException("a spread must be of at least one measurement, but there was none");
        }
        List<Double> sorted = measurements.stream().sorted().toList();
        return new Spread(at(sorted, MIDDLE), at(sorted, QUARTER), at(sorted, 1 - QUARTER));
    }

    /** Between two measurements, by proportion. */
    private static double at(List<Double> sorted, double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
    }
}
