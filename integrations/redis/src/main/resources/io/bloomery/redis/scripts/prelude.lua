-- Returns nil if this is an accepted primary that was not promoted since, else what it is; and the
-- id of its run, if that was looked at.
local function stranger(accepted)
  if accepted == '*' then
    -- Any primary, but no replica, as far as this user may know.
    local info = redis.pcall('INFO', 'replication')
    return type(info) == 'string' and string.match(info, 'role:(slave)') or nil
  end
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local info = redis.call('INFO', 'replication')
  local role = string.match(info, 'role:(%a+)')
  local before = string.match(info, 'master_replid2:(%x+)')
  if role == 'master' and run and before then
    if string.find(accepted, run .. '/' .. before, 1, true) then return nil, run end
    if string.find(before, '^0+$') and string.find(accepted, run, 1, true) then return nil, run end
  end
  return (role or '?') .. ' ' .. (run or '?')
end
local function prefix(key)
  local found = redis.pcall('GETRANGE', key, 0, 63)
  if type(found) == 'string' then return found end
  -- Another error, as of a permission, is none about the key: it ends the script.
  return string.find(found.err, '^WRONGTYPE') and 'no string' or redis.call('GETRANGE', key, 0, 63)
end
-- Returns nil if the key has this prefix and length and may be answered for here, else a reply that
-- says what is so instead.
local function other(key, accepted, expected, length)
  local found = prefix(key)
  if found ~= expected then return {'G', found} end
  if redis.call('STRLEN', key) ~= tonumber(length) then return {'L', redis.call('STRLEN', key)} end
  local who = stranger(accepted)
  return who and {'P', who}
end
-- Returns whether the key is a chunk of the same filter in this generation or a later one.
local function later(key, mine)
  local found = prefix(key)
  if #found ~= 64 or string.sub(found, 33, 40) ~= string.sub(mine, 33, 40) then return false end
  local low, high = struct.unpack('<I4I4', found, 25)
  local myLow, myHigh = struct.unpack('<I4I4', mine, 25)
  return high > myHigh or (high == myHigh and low >= myLow)
end
