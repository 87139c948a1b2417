-- KEYS: the chunk, and one of the same prefix whose words it gets besides its own.
-- ARGV: as for probe, of both.
local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3]) or other(KEYS[2], ARGV[1], ARGV[2], ARGV[3])
if bad then return bad end
redis.call('BITOP', 'OR', KEYS[1], KEYS[1], KEYS[2])
redis.call('UNLINK', KEYS[2])
return 1
