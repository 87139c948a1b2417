-- ARGV: the number and the id of a generation, and when its record may expire at the earliest, in
-- milliseconds of the clock here.
if redis.call('HGET', KEYS[1], 'id:' .. ARGV[1]) ~= ARGV[2] then return 0 end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return 1 end
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) + left < tonumber(ARGV[3]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[3])
end
return 1
