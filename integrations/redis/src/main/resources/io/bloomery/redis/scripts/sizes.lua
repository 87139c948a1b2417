-- Returns the size of each key, 0 of one that is not there, and of a hash: that is a record. Then
-- the milliseconds until the first expires, or a negative number.
local sizes = {}
for i, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  if kind == 'none' or kind == 'hash' then
    sizes[i] = 0
  else
    sizes[i] = kind == 'string' and redis.call('STRLEN', key) or 1
  end
end
sizes[#sizes + 1] = redis.call('PTTL', KEYS[1])
return sizes
