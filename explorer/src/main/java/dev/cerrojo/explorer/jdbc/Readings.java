package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.serial.Part;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** What one session has read, as far as its transactions committed. */
final class Readings {
    private final IdentityHashMap<GatedConnection, List<Reading>> open = new IdentityHashMap<>();
    private final List<Reading> committed = new ArrayList<>();
    private boolean anyCommit;

    void add(GatedConnection connection, Reading reading) {
        open.computeIfAbsent(connection, any -> new ArrayList<>()).add(reading);
    }

    void committed(GatedConnection connection) {
        anyCommit = true;
        List<Reading> read = open.remove(connection);
        if (read != null) {
            committed.addAll(read);
        }
    }

    void undone(GatedConnection connection) {
        open.remove(connection);
    }

    /**
     * {@return what the session committed: all of its code is one unit, which took effect when any transaction of it committed}
     *
     * @param name what the session is called
     */
    Part part(String name) {
        if (!anyCommit) {
            return Part.NONE;
        }
        List<Part.Reading> readings = new ArrayList<>();
        for (Reading reading : committed) {
            String place = name + ", result " + (readings.size() + 1) + ": "
                    + BoundValues.shortened(reading.sql().strip().replaceAll("\\s+", " "));
            readings.add(new Part.Reading(place, reading.rows()));
        }
        return new Part(List.of(0), readings);
    }
}
