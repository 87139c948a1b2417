-- KEYS: the chunk, and the one that is to follow it. ARGV: as for probe, of the chunk.
local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if bad then return bad end
for _, key in ipairs(KEYS) do
  local found = prefix(key)
  if found ~= '' then
    local length = redis.call('STRLEN', key)
    redis.call('SET', key, found, 'KEEPTTL')
    redis.call('SETRANGE', key, length - 1, '\0')
  end
end
return 1
