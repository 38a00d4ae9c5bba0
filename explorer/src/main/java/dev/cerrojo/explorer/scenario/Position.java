package dev.cerrojo.explorer.scenario;

/**
 * A place in a scenario file.
 *
 * @param line the line, from 1; 0 when the text did not come from a file
 * @param path the keys that lead there, joined by dots, list indexes from 0 in brackets:
 *     {@code transactions.remove_doctor.steps[2].write}
 */
public record Position(int line, String path) {
    /**
     * A place that is in no file: a step that Cerrojo wrote itself.
     *
     * @param path what wrote it
     * @return the place
     */
    public static Position generated(String path) {
        return new Position(0, path);
    }
}
