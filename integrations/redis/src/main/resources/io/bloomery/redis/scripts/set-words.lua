local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if bad then return bad end
redis.call('SETRANGE', KEYS[1], ARGV[4], ARGV[5])
return 1
