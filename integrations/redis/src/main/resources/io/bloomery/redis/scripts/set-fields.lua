if redis.call('HEXISTS', KEYS[1], 'format') == 0 then return 0 end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, #ARGV[1]) == ARGV[1] then redis.call('HSET', KEYS[1], field, ARGV[2]) end
end
return 1
