package dev.cerrojo.redis;

/**
 * Each entry is one hash, and one sorted set has the names of those that are pending, by when their claims are over: each script gets
 * both, which are in one slot. Fields: {@code h} the request's hash, {@code s} the state (P, C, F), {@code c} the claim, {@code u} when
 * it is over, {@code n} how many there were, {@code d} how much longer than the claim the entry stays ({@code 0}: for ever), {@code r} the
 * result, {@code f} why it failed. Times are microseconds of the server's clock, far below 2^53, up to which Lua's numbers are exact.
 *
 * <p>Answers are integers: a text is its length, then six bytes in each number, the last one filled up with zeros.
 *
 * <p>Arguments of each script: the entry's name, the claim, then what is told there.
 */
final class ClaimScripts {
    static final int BYTES_IN_A_NUMBER = 6;

    private static final String COMMON = """
            local key, index, name, claim = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local function digits(number)
              return string.format('%.0f', number)
            end
            local function keep_for(micros)
              redis.call('PEXPIRE', key, digits(math.ceil(micros / 1000)))
            end
            local function hold(duration, more)
              redis.call('HSET', key, 'u', digits(now + duration))
              redis.call('ZADD', index, digits(now + duration), name)
              if more > 0 then keep_for(duration + more) else redis.call('PERSIST', key) end
            end
            local function settle(state, field, value, retention)
              redis.call('HSET', key, 's', state)
              redis.call('HSETNX', key, field, value)
              redis.call('ZREM', index, name)
              keep_for(tonumber(retention))
            end
            local function packed(answer, text)
              table.insert(answer, #text)
              for i = 1, #text, 6 do
                local number = 0
                for j = i, i + 5 do number = number * 256 + (string.byte(text, j) or 0) end
                table.insert(answer, number)
              end
              return answer
            end
            local function has(states)
              local found = redis.call('HMGET', key, 's', 'c')
              return found[1] and string.find(states, found[1], 1, true) and found[2] == claim
            end
            """;

    /**
     * Then the request's hash, how long the claim is held, the retention, the takeover, why it is given up. Answers {1, number}, {2,
     * result}, {3, why}, {4, microseconds}, {5, claim} or {6}: claimed, completed, failed, in progress, abandoned, another request.
     */
    static final RedisScript CLAIM = RedisScript.of(COMMON + """
            local hash, duration, retention, takeover, why = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], ARGV[7]
            local found = redis.call('HMGET', key, 's', 'h', 'c', 'u', 'n', 'r', 'f')
            local number = 1
            if found[1] then
              if found[2] ~= hash then return {6} end
              if found[1] == 'C' then return packed({2}, found[6]) end
              if found[1] == 'F' then return packed({3}, found[7]) end
              local left = tonumber(found[4]) - now
              number = tonumber(found[5])
              if found[3] ~= claim then
                if left > 0 then return {4, left} end
                if takeover == 'ASK' then return packed({5}, found[3]) end
                if takeover == 'FAIL' then
                  settle('F', 'f', why, retention)
                  return packed({3}, why)
                end
                number = number + 1
              end
            end
            local more = takeover == 'ASK' and 0 or retention
            redis.call('HSET', key, 's', 'P', 'h', hash, 'c', claim, 'n', number, 'd', digits(more))
            hold(duration, more)
            return {1, number}
            """);

    /** Then how long it is held. Answers {1} when the claim has it, else {0}. */
    static final RedisScript RENEW = RedisScript.of(COMMON + """
            if not has('P') then return {0} end
            hold(tonumber(ARGV[3]), tonumber(redis.call('HGET', key, 'd')))
            return {1}
            """);

    /** Then the result and the retention. Answers {1} when the claim has or had it, else {0}. */
    static final RedisScript COMPLETE = RedisScript.of(COMMON + """
            if not has('PC') then return {0} end
            settle('C', 'r', ARGV[3], ARGV[4])
            return {1}
            """);

    /** Then why, and the retention. Answers {1} when the claim has or had it, else {0}. */
    static final RedisScript FAIL = RedisScript.of(COMMON + """
            if not has('PF') then return {0} end
            settle('F', 'f', ARGV[3], ARGV[4])
            return {1}
            """);

    /** Answers {1} when the claim had it, else {0}. */
    static final RedisScript FORGET = RedisScript.of(COMMON + """
            if not has('P') then return {0} end
            redis.call('DEL', key)
            redis.call('ZREM', index, name)
            return {1}
            """);

    /** Answers {1} when the claim had it, else {0}. */
    static final RedisScript ABANDON = RedisScript.of(COMMON + """
            if not has('P') then return {0} end
            if tonumber(redis.call('HGET', key, 'u')) > now then
              redis.call('HSET', key, 'u', digits(now))
              redis.call('ZADD', index, digits(now), name)
            end
            return {1}
            """);

    /** Of the index alone; the arguments are how many are left out, and how many are wanted. Answers their names. */
    static final RedisScript STALE = RedisScript.of("""
            local time = redis.call('TIME')
            local now = string.format('%.0f', time[1] * 1000000 + time[2])
            local names = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', ARGV[1], ARGV[2])
            local answer = {}
            for _, name in ipairs(names) do
              table.insert(answer, #name)
              for i = 1, #name, 6 do
                local number = 0
                for j = i, i + 5 do number = number * 256 + (string.byte(name, j) or 0) end
                table.insert(answer, number)
              end
            end
            return answer
            """);

    /** Answers {1, number, microseconds since it was over, claim} when it is stuck, {0} when it is not, {2} when its name was removed. */
    static final RedisScript LOOK = RedisScript.of(COMMON + """
            local found = redis.call('HMGET', key, 's', 'c', 'u', 'n')
            if found[1] ~= 'P' then
              redis.call('ZREM', index, name)
              return {2}
            end
            local since = now - tonumber(found[3])
            if since < 0 then return {0} end
            return packed({1, tonumber(found[4]), since}, found[2])
            """);

    private ClaimScripts() {}
}
