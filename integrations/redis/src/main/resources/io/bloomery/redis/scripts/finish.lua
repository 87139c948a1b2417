if redis.call('HGET', KEYS[1], 'next') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'generation', ARGV[1])
redis.call('HDEL', KEYS[1], 'next')
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local s = string.match(field, ':(%d+)$')
  if s and s ~= ARGV[1] then redis.call('HDEL', KEYS[1], field) end
end
return 1
