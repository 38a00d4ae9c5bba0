package dev.cerrojo.etcd;

/**
 * A key that is there.
 *
 * @param key of the entity, or of a group
 * @param owner who put it
 * @param lease the etcd lease that it ends with
 */
record Hold(String key, String owner, long lease) {
    static Hold of(Answer keyValue) {
        return new Hold(keyValue.bytes("key"), keyValue.bytes("value"), keyValue.number("lease"));
    }
}
