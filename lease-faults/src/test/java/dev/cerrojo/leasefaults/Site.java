package dev.cerrojo.leasefaults;

import java.time.Duration;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Where two workers work.
 *
 * @param title what the file of its results is called
 * @param kind the store and its client
 * @param address of the store, for each worker
 * @param jdbcUrl of an empty database
 * @param fenced whether writes are fenced
 * @param lease how long leases last
 * @param environment of a worker's process
 */
record Site(
        String title,
        StoreKind kind,
        IntFunction<String> address,
        String jdbcUrl,
        boolean fenced,
        Duration lease,
        Map<String, String> environment) {
    static final String WITHOUT_FENCES = ", without fences";

    /** {@return one with fences and leases of a second} */
    static Site of(String title, StoreKind kind, IntFunction<String> address, String jdbcUrl) {
        return new Site(title, kind, address, jdbcUrl, true, Duration.ofSeconds(1), Map.of());
    }

    Site withoutFences() {
        return new Site(title, kind, address, jdbcUrl, false, lease, environment);
    }

    Site withLeasesOf(Duration time) {
        return new Site(title, kind, address, jdbcUrl, fenced, time, environment);
    }

    Site in(Map<String, String> variables) {
        return new Site(title, kind, address, jdbcUrl, fenced, lease, variables);
    }

    String store() {
        return fenced ? kind.toString() : kind + WITHOUT_FENCES;
    }
}
