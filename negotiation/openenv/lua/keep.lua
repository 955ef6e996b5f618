-- Keep a session if nobody else changed it and there is room.
-- KEYS: session, sessions of all, sessions of the client, latest of the client
-- ARGV: number that must be there (0: any, it is a reset), new number, record, now, seconds to keep,
--       most of all, most per client
-- Gives "kept", "late", "full" or "full-for-client", and how many there are.
local session, all, mine, latest = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, number, now, keep = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZREMRANGEBYSCORE', all, '-inf', now)
redis.call('ZREMRANGEBYSCORE', mine, '-inf', now)
local there = redis.call('HGET', session, 'number')
if there and tonumber(redis.call('HGET', session, 'until')) <= now then
    there = false
end
if expected > 0 and tonumber(there) ~= expected then
    return {'late', 0}
end
if not there then
    local held, own = redis.call('ZCARD', all), redis.call('ZCARD', mine)
    if held >= tonumber(ARGV[6]) then
        return {'full', held}
    end
    if own >= tonumber(ARGV[7]) then
        return {'full-for-client', own}
    end
end
local keep_ms = math.ceil(keep * 1000)
redis.call('HSET', session, 'number', number, 'record', ARGV[3], 'until', now + keep)
redis.call('ZADD', all, now + keep, session)
redis.call('ZADD', mine, now + keep, session)
if expected == 0 then
    redis.call('SET', latest, session)
end
for _, key in ipairs(KEYS) do
    redis.call('PEXPIRE', key, keep_ms)
end
return {'kept', 0}
