return other(KEYS[1], ARGV[1], ARGV[2], ARGV[3]) or redis.call('GETRANGE', KEYS[1], ARGV[4], ARGV[5])
