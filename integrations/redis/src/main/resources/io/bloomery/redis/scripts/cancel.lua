-- ARGV: the number and the id of the generation that is not to be.
if redis.call('HGET', KEYS[1], 'next') ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'id:' .. ARGV[1]) ~= ARGV[2] then return 0 end
if redis.call('HGET', KEYS[1], 'generation') == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('HDEL', KEYS[1], 'next')
end
return 1
