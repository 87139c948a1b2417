-- Returns the fields, the milliseconds until the key expires, and, if a generation has a life, the
-- clock here.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then return {'format', 'that of a ' .. kind} end
local fields = redis.call('HGETALL', KEYS[1])
if #fields == 0 then return fields end
local now = '0'
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 5) == 'life:' then
    local time = redis.call('TIME')
    now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
    break
  end
end
for _, more in ipairs({'left', string.format('%.0f', redis.call('PTTL', KEYS[1])), 'now', now}) do
  fields[#fields + 1] = more
end
return fields
