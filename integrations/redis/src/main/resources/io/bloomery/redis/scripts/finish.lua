-- ARGV: the number and the id of the generation whose chunks are all in their places, and when it
-- expires, in milliseconds of the clock here (0: never).
if redis.call('HGET', KEYS[1], 'id:' .. ARGV[1]) ~= ARGV[2] then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'generation')) < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'generation', ARGV[1])
end
local after = redis.call('HGET', KEYS[1], 'next')
if after == ARGV[1] then redis.call('HDEL', KEYS[1], 'next') end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local s = string.match(field, ':(%d+)$')
  if s and s ~= ARGV[1] and s ~= after then redis.call('HDEL', KEYS[1], field) end
end
if ARGV[3] == '0' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIREAT', KEYS[1], ARGV[3]) end
return 1
