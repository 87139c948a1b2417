-- ARGV: the life of the chunk in milliseconds, and the prefixes that it may have, sealed or not.
local found = prefix(KEYS[1])
for i = 2, #ARGV do
  if #found == 64 and string.sub(found, 1, 9) == string.sub(ARGV[i], 1, 9)
    and string.sub(found, 11, 60) == string.sub(ARGV[i], 11, 60) then
    local left = redis.call('PTTL', KEYS[1])
    if left >= 0 and left < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
    return 1
  end
end
return 0
