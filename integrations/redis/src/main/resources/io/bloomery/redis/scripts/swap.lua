-- KEYS: the chunk, and the one that takes its place.
-- ARGV: as for probe, of the latter, and its life in milliseconds (0: it has no end; try: this is
-- only to see if it could).
if prefix(KEYS[1]) ~= ARGV[2] then
  local bad = other(KEYS[2], ARGV[1], ARGV[2], ARGV[3])
  if bad then return bad end
  if ARGV[4] ~= 'try' then redis.call('RENAME', KEYS[2], KEYS[1]) end
end
if ARGV[4] ~= 'try' and ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1
