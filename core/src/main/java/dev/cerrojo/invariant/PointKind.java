package dev.cerrojo.invariant;

/**
 * What is to be said of a serialization point.
 *
 * @param words what it is
 * @param instead what to do where it does not hold
 * @param byText whether it goes by the scope as text
 */
record PointKind(String words, String instead, boolean byText) {
    private static final String AT_READ_COMMITTED =
            "use touch, which holds at every level, or run the transaction at read committed";
    private static final PointKind TOUCH = new PointKind("a touch of the guard row", AT_READ_COMMITTED, true);
    private static final PointKind ROW = new PointKind("a lock of the scope row", AT_READ_COMMITTED, false);
    private static final PointKind ADVISORY = new PointKind("an advisory lock", AT_READ_COMMITTED, true);
    private static final PointKind SERIALIZABLE = new PointKind(
            "serializable", "run every transaction that may break it at serializable, or use touch", false);

    static PointKind of(SerializationPoint point) {
        if (point instanceof SerializationPoint.Touch) {
            return TOUCH;
        } else if (point instanceof SerializationPoint.LockScopeRow) {
            return ROW;
        }
        return point instanceof SerializationPoint.Serializable ? SERIALIZABLE : ADVISORY;
    }
}
