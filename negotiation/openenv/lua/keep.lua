-- Keep a session if nobody else changed it and there is room.
-- KEYS: session, sessions of all, sessions of the client
-- ARGV: number that must be there (0: any, it is a reset), new number, record, now, seconds to keep,
--       most of all, most per client, seconds after which an own game counts as left alone, whether
--       the game is over ("1")
-- Gives "kept", "late", "full" or "full-for-client", and how many there are.
local session, all, mine = KEYS[1], KEYS[2], KEYS[3]
local expected, number, now, keep = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZREMRANGEBYSCORE', all, '-inf', now)
redis.call('ZREMRANGEBYSCORE', mine, '-inf', now)
local alone_until = now + keep - tonumber(ARGV[8])

-- Whoever is full loses a game that is over, or one of its own that it left alone.
local function make_room(held, may_be_alone)
    for _, other in ipairs(redis.call('ZRANGE', held, 0, -1)) do
        local told = redis.call('HMGET', other, 'done', 'until', 'client')
        local alone = may_be_alone and told[2] and tonumber(told[2]) < alone_until
        if not told[2] or told[1] == '1' or alone then
            redis.call('ZREM', all, other)
            redis.call('ZREM', told[3] or mine, other)
            redis.call('DEL', other)
            return true
        end
    end
    return false
end

local there = redis.call('HGET', session, 'number')
if there and tonumber(redis.call('HGET', session, 'until')) <= now then
    there = false
end
if expected > 0 and tonumber(there) ~= expected then
    return {'late', 0}
end
if not there then
    local own = redis.call('ZCARD', mine)
    if own >= tonumber(ARGV[7]) and not make_room(mine, true) then
        return {'full-for-client', own}
    end
    local held = redis.call('ZCARD', all)
    if held >= tonumber(ARGV[6]) and not make_room(all, false) then
        return {'full', held}
    end
end
local keep_ms = math.ceil(keep * 1000)
redis.call('HSET', session, 'number', number, 'record', ARGV[3], 'until', now + keep,
    'done', ARGV[9], 'client', mine)
redis.call('ZADD', all, now + keep, session)
redis.call('ZADD', mine, now + keep, session)
for _, key in ipairs(KEYS) do
    redis.call('PEXPIRE', key, keep_ms)
end
return {'kept', 0}
