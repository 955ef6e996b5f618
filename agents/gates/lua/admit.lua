-- Let one call through, or name the first gate that is closed; nothing is counted in that case.
-- KEYS  day, open calls of the day, leases, calls of the client, breaker
-- ARGV  number, now, metered, reserved, concurrency, daily calls, daily microusd, lease until,
--       seconds to keep keys, then name, seconds and limit of each window
-- Answers "in", "probe", "seed" (the counters of the day are not known here), or a gate.
local day, open, leases, client, breaker = unpack(KEYS)
local number, now, keep = ARGV[1], ARGV[2], ARGV[9]
local metered = ARGV[3] == '1'

local probing = redis.call('HGET', breaker, 'probe') == number
if redis.call('HEXISTS', open, number) == 1 then
  -- The answer was lost on its way and the question came again.
  return probing and 'probe' or 'in'
end

local function ago(seconds)
  return string.format('(%.6f', tonumber(now) - seconds)
end

if metered then
  -- A server that was emptied, or that woke up with an old snapshot, has another run_id.
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  if redis.call('HGET', day, 'run_id') ~= run then return 'seed' end
  for place = 10, #ARGV, 3 do
    local used = redis.call('ZCOUNT', client, ago(tonumber(ARGV[place + 1])), '+inf')
    if used >= tonumber(ARGV[place + 2]) then return ARGV[place] end
  end
  if redis.call('ZCOUNT', leases, '(' .. now, '+inf') >= tonumber(ARGV[5]) then
    return 'concurrency'
  end
  local used = redis.call('HMGET', day, 'calls', 'microusd')
  if tonumber(used[1]) >= tonumber(ARGV[6]) then return 'daily-calls' end
  if tonumber(used[2]) + tonumber(ARGV[4]) > tonumber(ARGV[7]) then return 'daily-spend' end
end

local verdict = 'in'
local broken = redis.call('HMGET', breaker, 'open_until', 'probe', 'probe_until')
if broken[1] then
  local is_open = tonumber(now) < tonumber(broken[1])
  local is_tried = broken[2] and tonumber(now) < tonumber(broken[3])
  if is_open or is_tried then return 'breaker' end
  redis.call('HSET', breaker, 'probe', number, 'probe_until', ARGV[8])
  redis.call('EXPIRE', breaker, keep)
  verdict = 'probe'
end

redis.call('HSET', open, number, ARGV[4])
redis.call('EXPIRE', open, keep)
if metered then
  redis.call('HINCRBY', day, 'calls', 1)
  redis.call('HINCRBY', day, 'microusd', ARGV[4])
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
  redis.call('ZADD', leases, ARGV[8], number)
  redis.call('EXPIRE', leases, keep)
  redis.call('ZREMRANGEBYSCORE', client, '-inf', string.sub(ago(tonumber(keep)), 2))
  redis.call('ZADD', client, now, number)
  redis.call('EXPIRE', client, keep)
end
return verdict
