-- ARGV: as for probe, and the prefix to be.
if prefix(KEYS[1]) == ARGV[4] then return 1 end
local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if bad then return bad end
redis.call('SETRANGE', KEYS[1], 0, ARGV[4])
return 1
