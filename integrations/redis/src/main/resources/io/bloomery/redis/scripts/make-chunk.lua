local who = stranger(ARGV[1])
if who then return {'P', who} end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('SETRANGE', KEYS[1], tonumber(ARGV[3]) - 1, '\0')
return 1
