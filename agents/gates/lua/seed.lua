-- Count a day from what the ledger says, unless somebody did so already.
-- KEYS  day, open calls of the day, leases
-- ARGV  prefix of the keys of clients, seconds to keep keys, calls, microusd,
--       rows as JSON: [number, client, admitted at, lease until, reserved, open today, under way]
-- (client "": it is in no window)
local day, open, leases = unpack(KEYS)
local prefix, keep = ARGV[1], ARGV[2]
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
if redis.call('HGET', day, 'run_id') == run then return 0 end

redis.call('DEL', open)
redis.call('HSET', day, 'run_id', run, 'calls', ARGV[3], 'microusd', ARGV[4])
redis.call('EXPIRE', day, keep)
for _, row in ipairs(cjson.decode(ARGV[5])) do
  local number, client, at, lease, reserved, is_open_today, is_under_way = unpack(row)
  if client ~= '' then
    redis.call('ZADD', prefix .. client, at, number)
    redis.call('EXPIRE', prefix .. client, keep)
  end
  if is_under_way then
    redis.call('ZADD', leases, lease, number)
    redis.call('EXPIRE', leases, keep)
  end
  if is_open_today then
    redis.call('HSET', open, number, reserved)
    redis.call('EXPIRE', open, keep)
  end
end
return 1
