local serving = redis.call('HGET', KEYS[1], 'generation')
if not serving or serving == '0' then return 0 end
local s = redis.call('HINCRBY', KEYS[1], 'sequence', 1)
redis.call('HSET', KEYS[1], 'header:' .. s, ARGV[1], 'id:' .. s, ARGV[2], 'primaries:' .. s, ARGV[3], 'next', s)
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'life:' .. s, ARGV[4]) end
return s
