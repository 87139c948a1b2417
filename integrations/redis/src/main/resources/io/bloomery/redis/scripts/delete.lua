return redis.call('UNLINK', unpack(KEYS))
