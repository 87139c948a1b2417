-- Makes the record of a filter whose first generation is to be filled.
-- ARGV: the id of the generation that was being filled until now (empty: there is no record), and
-- the fields.
local filled = ''
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('HGET', KEYS[1], 'generation') ~= '0' then return 0 end
  filled = redis.call('HGET', KEYS[1], 'id:' .. (redis.call('HGET', KEYS[1], 'next') or ''))
end
if filled ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return 1
