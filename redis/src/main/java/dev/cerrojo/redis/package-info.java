/**
 * Leases and requests on Redis or Valkey: {@link dev.cerrojo.redis.RedisLeaseStore} and {@link dev.cerrojo.redis.RedisRequestStore}, over {@link dev.cerrojo.redis.JedisRedis}, {@link
 * dev.cerrojo.redis.LettuceRedis}, or any other {@link dev.cerrojo.redis.Redis}.
 */
@NullMarked
package dev.cerrojo.redis;

import org.jspecify.annotations.NullMarked;
