package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseClaim;

/**
 * What is done to the leases of one entity. They are one key, so that each script has one key: right in a cluster, and atomic, since Redis
 * runs one script at a time. Its type tells what may be held, since the whole entity and its groups exclude each other:
 *
 * <ul>
 *   <li>a text for the whole entity: the owner (or a {@code -} in the place of its first character, once released), the last token, and
 *       perhaps {@code ;} and until when somebody waits. It is held while the key has more than the grace left;
 *   <li>a hash for groups: {@code g} and a name for each, with its owner and when it ends; {@code t} the last token, {@code a} until when
 *       somebody waits.
 * </ul>
 *
 * <p>So the key outlives its leases by a minute of grace. A token is the time, or one more than the last token where the clock has gone
 * back. So it grows across expiry, release, loss of memory, and replicas that lag, without a key that would stay for ever: only the clock
 * of a server that has also forgotten the key could make it fall.
 *
 * <p>Times are microseconds of the server's clock, but for {@code a} and what Redis counts in milliseconds. They and the tokens stay far
 * below 2^53, up to which Lua's numbers are exact.
 *
 * <p>A message is published only when somebody waits: it costs as much as the rest of a release, and in a cluster goes to all nodes.
 *
 * @param acquire answers the token, or the microseconds for which others hold it, as a negative number. Takes the owner, the milliseconds for which the key
 *     stays, and the fields of the groups
 * @param renew answers 1, or 0 when any of it is over or another's: then nothing is changed. Takes the same
 * @param release answers 1 when all was held until now, else 0. Takes the owner and the fields of the groups. Who may not publish
 *     does not, and the waiting find out by themselves
 */
record LeaseScripts(RedisScript acquire, RedisScript renew, RedisScript release) {
    /** For how long the key outlives its leases. */
    static final int GRACE_MILLIS = 60_000;

    static final String GROUP = "g";

    private static final String NOW = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            """;

    /** What a text remembers. */
    private static final String LAST = """
              local last, awaited = tonumber(string.sub(value, 33)), ''
              if not last then
                last, awaited = string.match(value, '^(%d+)(;%d+)$', 33)
                if not last then return redis.error_reply('WRONGTYPE the text in the key is no lease') end
                last = tonumber(last)
                if tonumber(string.sub(awaited, 2)) * 1000 < now then awaited = '' end
              end
            """;

    private static final String ENTRY = """
            local function entry(value)
              if not value then return nil, 0 end
              local holder, ends = string.match(value, '^(%x+) (%d+)$')
              return holder, tonumber(ends)
            end
            """;

    /** Whole entities: the common case, in as few commands as there can be. */
    private static final LeaseScripts WHOLE = new LeaseScripts(
            RedisScript.of(NOW + """
                    local key, owner, token, note = KEYS[1], ARGV[1], now, ''
                    local value = redis.pcall('GET', key)
                    if type(value) == 'string' then
                      if string.byte(value) ~= 45 and string.sub(value, 1, 32) ~= owner then
                        local left = redis.call('PTTL', key) - 60000
                        if left > 0 then return -left * 1000 end
                      end
                    """ + LAST + """
                      if last >= token then token = last + 1 end
                      note = awaited
                    elseif value then
                      local left, entries = 0, redis.call('HGETALL', key)
                      for i = 1, #entries, 2 do
                        local field, content = entries[i], entries[i + 1]
                        if field == 't' then
                          token = math.max(token, content + 1)
                        elseif field == 'a' then
                          note = ';' .. content
                        else
                          left = math.max(left, string.match(content, '%d+$') - now)
                        end
                      end
                      if left > 0 then return -left end
                      redis.call('DEL', key)
                    end
                    redis.call('SET', key, owner .. string.format('%.0f', token) .. note, 'PX', ARGV[2])
                    return token
                    """), RedisScript.of("""
                    local key = KEYS[1]
                    local value = redis.pcall('GET', key)
                    if type(value) == 'table' and redis.call('TYPE', key).ok ~= 'hash' then return value end
                    if type(value) ~= 'string' or string.sub(value, 1, 32) ~= ARGV[1] then return 0 end
                    if redis.call('PTTL', key) <= 60000 then return 0 end
                    redis.call('PEXPIRE', key, ARGV[2])
                    return 1
                    """), RedisScript.of("""
                    local key = KEYS[1]
                    local value = redis.pcall('GET', key)
                    if type(value) == 'table' and redis.call('TYPE', key).ok ~= 'hash' then return value end
                    if type(value) ~= 'string' or string.sub(value, 1, 32) ~= ARGV[1] then return 0 end
                    local left = redis.call('PTTL', key)
                    redis.call('SETRANGE', key, 0, '-')
                    if left > 120000 then redis.call('PEXPIRE', key, 60000) end
                    if string.find(value, ';', 33, true) then
                    """ + NOW + """
                      if string.match(value, '%d+$') * 1000 > now then redis.pcall('PUBLISH', key, '') end
                    end
                    return left > 60000 and 1 or 0
                    """));

    private static final LeaseScripts GROUPS = new LeaseScripts(
            RedisScript.of(NOW + ENTRY + """
                    local key, owner = KEYS[1], ARGV[1]
                    local stays = tonumber(ARGV[2])
                    local token, longest, excluded = 0, stays, 0
                    local value = redis.pcall('GET', key)
                    if type(value) == 'string' then
                      if string.byte(value) ~= 45 then
                        local left = redis.call('PTTL', key) - 60000
                        if left > 0 then return -left * 1000 end
                      end
                    """ + LAST + """
                      token = last
                      redis.call('DEL', key)
                      if awaited ~= '' then redis.call('HSET', key, 'a', string.sub(awaited, 2)) end
                    elseif value then
                      local wanted = {}
                      for i = 3, #ARGV do wanted[ARGV[i]] = true end
                      local entries = redis.call('HGETALL', key)
                      for i = 1, #entries, 2 do
                        local field, content = entries[i], entries[i + 1]
                        if field == 't' then
                          token = tonumber(content)
                        elseif field ~= 'a' then
                          local holder, ends = entry(content)
                          if ends <= now then
                            redis.call('HDEL', key, field)
                          elseif holder ~= owner and wanted[field] then
                            excluded = math.max(excluded, ends - now)
                          else
                            longest = math.max(longest, math.ceil((ends - now) / 1000) + 60000)
                          end
                        end
                      end
                      if excluded > 0 then return -excluded end
                    end
                    token = math.max(now, token + 1)
                    local held = string.format('%s %.0f', owner, now + (stays - 60000) * 1000)
                    redis.call('HSET', key, 't', string.format('%.0f', token), ARGV[3], held)
                    for i = 4, #ARGV do redis.call('HSET', key, ARGV[i], held) end
                    redis.call('PEXPIRE', key, longest)
                    return token
                    """),
            RedisScript.of(NOW + ENTRY + """
                    local key, owner = KEYS[1], ARGV[1]
                    if redis.call('TYPE', key).ok == 'string' then return 0 end
                    for i = 3, #ARGV do
                      local holder, ends = entry(redis.call('HGET', key, ARGV[i]))
                      if holder ~= owner or ends <= now then return 0 end
                    end
                    local stays = tonumber(ARGV[2])
                    local held = string.format('%s %.0f', owner, now + (stays - 60000) * 1000)
                    for i = 3, #ARGV do redis.call('HSET', key, ARGV[i], held) end
                    if redis.call('PTTL', key) < stays then redis.call('PEXPIRE', key, stays) end
                    return 1
                    """),
            RedisScript.of(NOW + ENTRY + """
                    local key, owner = KEYS[1], ARGV[1]
                    if redis.call('TYPE', key).ok == 'string' then return 0 end
                    local held, removed = 1, 0
                    for i = 2, #ARGV do
                      local holder, ends = entry(redis.call('HGET', key, ARGV[i]))
                      if holder == owner then removed = removed + redis.call('HDEL', key, ARGV[i]) end
                      if holder ~= owner or ends <= now then held = 0 end
                    end
                    if removed > 0 then
                      local awaited = redis.call('HGET', key, 'a')
                      local empty = redis.call('HLEN', key) == (awaited and 2 or 1)
                      if empty and redis.call('PTTL', key) > 120000 then redis.call('PEXPIRE', key, 60000) end
                      if awaited and awaited * 1000 > now then redis.pcall('PUBLISH', key, '') end
                    end
                    return held
                    """));

    /**
     * Notes that somebody waits, for some milliseconds, so that releases are told. Of a key that is not held it sees to it that the note
     * stays; of one that is held it must not touch the time.
     */
    static final RedisScript AWAIT = RedisScript.of(NOW + """
            local key, wait = KEYS[1], tonumber(ARGV[1])
            local ends = now / 1000 + wait
            local note = string.format('%.0f', ends)
            local value = redis.pcall('GET', key)
            local stays = true
            if not value then
              redis.call('SET', key, string.rep('-', 32) .. string.format('%.0f', now) .. ';' .. note, 'PX', wait)
            elseif type(value) == 'string' then
            """ + LAST + """
              if awaited == '' or string.sub(awaited, 2) + 0 < ends then
                local text = string.sub(value, 1, 32) .. string.format('%.0f', last) .. ';' .. note
                redis.call('SET', key, text, 'KEEPTTL')
              end
              stays = string.byte(value) ~= 45
            else
              if (redis.call('HGET', key, 'a') or 0) + 0 < ends then redis.call('HSET', key, 'a', note) end
              stays = false
            end
            if not stays and redis.call('PTTL', key) < wait then redis.call('PEXPIRE', key, wait) end
            return 1
            """);

    /** {@return those for what is claimed} */
    static LeaseScripts of(LeaseClaim claim) {
        return claim.isWhole() ? WHOLE : GROUPS;
    }
}
