-- KEYS: the record, and each part that a window of this name can have.
-- ARGV: whether it may take the place of what is left of one, its life, and its fields.
if redis.call('EXISTS', KEYS[1]) == 1 then return {'E'} end
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    local left = redis.call('PTTL', KEYS[i])
    -- Parts outlive the record by a second.
    if ARGV[1] ~= '1' and (left < 0 or left > 1000) then return {'X', KEYS[i]} end
  end
end
redis.call('UNLINK', unpack(KEYS, 2))
-- Whoever may not do this is told so while nothing is there that would stay for ever.
redis.call('PEXPIRE', KEYS[1], 1)
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000000 + clock[2])
redis.call('HSET', KEYS[1], 'began', now, 'last', now,
  'clock', string.match(redis.call('INFO', 'server'), 'run_id:(%x+)'), unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
