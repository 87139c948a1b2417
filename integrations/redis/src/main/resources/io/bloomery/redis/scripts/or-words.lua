-- KEYS: the chunk, and two that are there only meanwhile.
-- ARGV: as for probe, where in the chunk, and the words that it gets besides its own.
local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if bad then return bad end
local at, words = tonumber(ARGV[4]), ARGV[5]
local own = redis.call('GETRANGE', KEYS[1], at, at + #words - 1)
if own ~= string.rep('\0', #words) then
  redis.call('SET', KEYS[2], words)
  redis.call('SET', KEYS[3], own)
  redis.call('BITOP', 'OR', KEYS[2], KEYS[2], KEYS[3])
  words = redis.call('GET', KEYS[2])
  redis.call('UNLINK', KEYS[2], KEYS[3])
end
redis.call('SETRANGE', KEYS[1], at, words)
return 1
