package dev.cerrojo.version;

/**
 * What has versions: an article, an order.
 *
 * @param type what kind of thing it is, mostly the name of its table
 * @param key which one, as text
 */
public record Entity(String type, String key) {
    /** Checks that both are there. */
    public Entity {
        if (type.isBlank() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "an entity must have a type and a key, but has type \"%s\" and key \"%s\"".formatted(type, key));
        }
    }

    /** {@return an entity by a key of one value, which is written as {@code toString} does} */
    public static Entity of(String type, Object key) {
        return new Entity(type, key.toString());
    }

    @Override
    public String toString() {
        return type + '/' + key;
    }
}
