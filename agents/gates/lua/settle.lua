-- Give back what a call did not cost, free its place, and tell the breaker how it went.
-- KEYS  day, open calls of the day, leases, breaker
-- ARGV  number, microusd to give back, end ("ok", "broken" or "other"), now,
--       failures in a row that open the breaker, seconds it stays open, seconds to keep keys
local day, open, leases, breaker = unpack(KEYS)
local number, ending, keep = ARGV[1], ARGV[3], ARGV[7]

redis.call('ZREM', leases, number)
-- Settled before, or counted from the ledger after it was settled there.
if redis.call('HDEL', open, number) == 0 then return 0 end
if ARGV[2] ~= '0' then
  redis.call('HINCRBY', day, 'microusd', '-' .. ARGV[2])
  redis.call('EXPIRE', day, keep)
end

local state = redis.call('HMGET', breaker, 'failures', 'open_until', 'probe')
local is_closed = not state[2]
-- Calls from before the breaker opened say nothing about now: only the probe is heard.
if not is_closed and state[3] ~= number then return 1 end
if ending == 'ok' then
  redis.call('DEL', breaker)
  return 1
end
if ending == 'other' then
  redis.call('HDEL', breaker, 'probe', 'probe_until')
  return 1
end
local failures = tonumber(state[1] or '0') + 1
redis.call('HSET', breaker, 'failures', failures)
redis.call('HDEL', breaker, 'probe', 'probe_until')
if not is_closed or failures >= tonumber(ARGV[5]) then
  local until_s = string.format('%.6f', tonumber(ARGV[4]) + tonumber(ARGV[6]))
  redis.call('HSET', breaker, 'open_until', until_s)
end
redis.call('EXPIRE', breaker, keep)
return 1
