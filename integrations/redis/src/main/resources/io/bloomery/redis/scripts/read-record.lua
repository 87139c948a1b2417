local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then return {'format', 'that of a ' .. kind} end
return redis.call('HGETALL', KEYS[1])
