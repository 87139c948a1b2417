if redis.call('HGET', KEYS[1], 'next') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'next')
return 1
