if prefix(KEYS[1]) == ARGV[1] then redis.call('UNLINK', KEYS[1]) end
return 1
