package dev.cerrojo.redis;

/**
 * The leases of one entity are one hash, so that each script has one key: right in a cluster, and atomic, since Redis runs one script at
 * a time. Fields: {@code w} the whole entity, {@code g} and a name a group, each with its owner and when it ends; {@code t} the last
 * token. Times are microseconds of the server's clock; they and the tokens stay far below 2^53, up to which Lua's numbers are exact.
 *
 * <p>A token is the time, or one more than the last token where the clock has gone back. So it grows across expiry, release and loss of
 * memory without a key that would stay for ever: the hash outlives its leases by a minute only, and only the clock of a server that has
 * also forgotten the hash could make it fall.
 *
 * <p>Arguments of each script: the owner, microseconds or the channel, then the fields.
 */
final class LeaseScripts {
    static final String WHOLE = "w";
    static final String GROUP = "g";

    private static final String COMMON = """
            local key, owner = KEYS[1], ARGV[1]
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local grace = 60000
            local function whole_number(number)
              return string.format('%.0f', number)
            end
            local function entry(value)
              if not value then return nil, 0 end
              local holder, ends = string.match(value, '^(%x+) (%d+)$')
              return holder, tonumber(ends)
            end
            local function hold(duration, longest)
              for i = 3, #ARGV do
                redis.call('HSET', key, ARGV[i], owner .. ' ' .. whole_number(now + duration))
              end
              local millis = math.ceil(math.max(duration, longest) / 1000) + grace
              if redis.call('PTTL', key) < millis then
                redis.call('PEXPIRE', key, whole_number(millis))
              end
            end
            """;

    /** Answers {1, token}, or {0, microseconds for which others hold it}. What is over is removed. */
    static final RedisScript ACQUIRE = RedisScript.of(COMMON + """
            local wanted = {}
            for i = 3, #ARGV do wanted[ARGV[i]] = true end
            local token, longest, excluded = 0, 0, 0
            local entries = redis.call('HGETALL', key)
            for i = 1, #entries, 2 do
              local field = entries[i]
              if field == 't' then
                token = tonumber(entries[i + 1])
              else
                local holder, ends = entry(entries[i + 1])
                if ends <= now then
                  redis.call('HDEL', key, field)
                elseif holder ~= owner and (wanted['w'] or field == 'w' or wanted[field]) then
                  excluded = math.max(excluded, ends - now)
                else
                  longest = math.max(longest, ends - now)
                end
              end
            end
            if excluded > 0 then return {0, excluded} end
            token = math.max(now, token + 1)
            redis.call('HSET', key, 't', whole_number(token))
            hold(tonumber(ARGV[2]), longest)
            return {1, token}
            """);

    /** Answers {1}, or {0} when one of the fields is over or another's: then nothing is changed. */
    static final RedisScript RENEW = RedisScript.of(COMMON + """
            for i = 3, #ARGV do
              local holder, ends = entry(redis.call('HGET', key, ARGV[i]))
              if holder ~= owner or ends <= now then return {0} end
            end
            hold(tonumber(ARGV[2]), 0)
            return {1}
            """);

    /** Answers {1} when all was held until now, else {0}. Who may not publish does not, and the waiting find out by themselves. */
    static final RedisScript RELEASE = RedisScript.of(COMMON + """
            local held, removed = 1, 0
            for i = 3, #ARGV do
              local holder, ends = entry(redis.call('HGET', key, ARGV[i]))
              if holder == owner then
                removed = removed + redis.call('HDEL', key, ARGV[i])
              end
              if holder ~= owner or ends <= now then held = 0 end
            end
            if removed > 0 then
              if redis.call('HLEN', key) == 1 then redis.call('PEXPIRE', key, grace) end
              redis.pcall('PUBLISH', ARGV[2], '')
            end
            return {held}
            """);

    private LeaseScripts() {}
}
