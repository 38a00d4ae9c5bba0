/** Leases on Redis or Valkey, with Jedis, with Lettuce, or with an adapter of the user's own. */
module dev.cerrojo.redis {
    requires static org.jspecify;
    requires transitive dev.cerrojo;
    requires static transitive redis.clients.jedis;
    requires static transitive lettuce.core;

    exports dev.cerrojo.redis;
}
