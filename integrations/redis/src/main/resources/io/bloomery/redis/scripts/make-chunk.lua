-- KEYS: the chunk, and the one whose place it is to take. ARGV: as for probe, of the former.
local who = stranger(ARGV[1])
if who then return {'P', who} end
for _, key in ipairs(KEYS) do
  if later(key, ARGV[2]) then return {'G', prefix(key)} end
end
-- Its last byte first: Redis allocates just that, and does not make room to grow.
redis.call('UNLINK', KEYS[1])
redis.call('SETRANGE', KEYS[1], tonumber(ARGV[3]) - 1, '\0')
redis.call('SETRANGE', KEYS[1], 0, ARGV[2])
return 1
