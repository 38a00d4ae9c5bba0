/** Servers of Redis and etcd for tests: {@link dev.cerrojo.testsupport.server.RedisServer}, {@link dev.cerrojo.testsupport.server.RedisCluster}, {@link dev.cerrojo.testsupport.server.EtcdCluster}. */
@NullMarked
package dev.cerrojo.testsupport.server;

import org.jspecify.annotations.NullMarked;
