package dev.cerrojo.explorer.tests.guards;

/** Who of two writers is guarded by the application, and whether the database guards too. */
enum Arrangement {
    APPLICATION("application guard", 2, false),
    TRIGGER("raw SQL, trigger guard", 0, true),
    BOTH("application guard and trigger guard", 2, true),
    BESIDE_RAW("application guard beside raw SQL", 1, false),
    BESIDE_RAW_WITH_TRIGGER("application guard beside raw SQL, and trigger guard", 1, true);

    private final String words;
    private final int guarded;
    private final boolean hasTrigger;

    Arrangement(String words, int guarded, boolean hasTrigger) {
        this.words = words;
        this.guarded = guarded;
        this.hasTrigger = hasTrigger;
    }

    /** {@return how many of the two writers run guarded transactions; the others send raw SQL} */
    int guarded() {
        return guarded;
    }

    boolean hasTrigger() {
        return hasTrigger;
    }

    @Override
    public String toString() {
        return words;
    }
}
