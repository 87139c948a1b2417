-- Looks up keys in a window, or puts them after it has forgotten what is due. Nothing is written
-- before all that is needed was checked.
-- KEYS: the record, and the parts of slot 0, of slot 1 and of slot 2.
-- ARGV: the id of the window, the number of parts in a slot, the packed length of each, what to do,
-- the kind of records, the size of one, and the records: of each key its part and its bits there.
local call, unp, pack = redis.call, struct.unpack, struct.pack
local band, bnot, bor = bit.band, bit.bnot, bit.bor
local floor, max, min = math.floor, math.max, math.min
local record, id, count, lengths, mode, kind = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local size, records = tonumber(ARGV[6]), ARGV[7]
-- The milliseconds by which parts outlive the record: without it they say nothing.
local longer = 1000
-- Not as Lua writes numbers, with 14 digits.
local function number(n) return string.format('%.0f', n) end

local found = redis.pcall('HMGET', record, 'id', 'primaries', 'clock', 'present:0', 'present:1', 'present:2',
  'keys', 'time', 'life', 'newest', 'began', 'last', 'taken:0', 'taken:1', 'taken:2', 'new:0', 'new:1', 'new:2')
if found.err then
  if string.find(found.err, '^WRONGTYPE') then return {'D', 'it is no hash'} end
  return found
end
if not found[1] and call('EXISTS', record) == 0 then return {'M'} end
if found[1] and found[1] ~= id then return {'I'} end
for i = 1, 18 do
  if i > 6 then found[i] = tonumber(found[i] or '') end
  if not found[i] or (i > 3 and i < 7 and #found[i] ~= count) then return {'D', 'a field is missing or no number'} end
end
local who, run = stranger(found[2])
if who then return {'P', who} end
local keys, time, life, newest, began, last = unpack(found, 7, 12)
local present = {[0] = found[4], found[5], found[6]}
local taken = {[0] = found[13], found[14], found[15]}
local new = {[0] = found[16], found[17], found[18]}

local step, now, due, begins = time - floor(time / 2), 0, 0, began
local isOtherClock = false
if time > 0 then
  run = run or string.match(call('INFO', 'server'), 'run_id:(%x+)')
  local clock = redis.call('TIME')
  now = clock[1] * 1000000 + clock[2]
  if run ~= found[3] then
    -- No time has passed from the last that the other server saw to the first that this one sees.
    isOtherClock = true
    began = now - max(0, last - began)
  end
  local steps = max(0, floor((now - began) / step))
  due = min(steps, 3)
  begins = began + steps * step
else
  run = found[3]
end

local function key(slot, c) return KEYS[2 + slot * count + c] end
local function length(c) return (unp('<I4', lengths, 4 * c + 1)) end
local function header(generation, c)
  return 'BLOOMWIN' .. id .. pack('<I4I4I4I4', generation % 4294967296, floor(generation / 4294967296), c, count)
    .. string.rep('\0', 32)
end
-- The parts of each slot that were looked at and are there.
local there = {[0] = {}, {}, {}}
local function problem(generation, c)
  local slot = generation % 3
  local name = key(slot, c)
  if string.byte(present[slot], c + 1) ~= 49 then return call('EXISTS', name) == 1 and {'X', name} end
  local is = prefix(name)
  if is == '' then return {'L', name} end
  if is ~= header(generation, c) then return {'G', name} end
  if call('STRLEN', name) ~= length(c) then return {'S', name, call('STRLEN', name)} end
  there[slot][c] = true
end
-- The record is old if what takes the place of a generation is there before it has begun.
local function later(generation, c)
  local name = key(generation % 3, c)
  local is = prefix(name)
  if string.sub(is, 1, 16) ~= 'BLOOMWIN' .. id then return false end
  local low, high = unp('<I4I4', is, 17)
  return high * 4294967296 + low > newest and {'O', name}
end
-- The number of new keys that close the newest: half of the window, rounded up and down in turns.
local function half() return newest % 2 == 1 and keys - floor(keys / 2) or max(1, floor(keys / 2)) end
local isPut = mode == 'put' or mode == 'absent'
-- The most generations that can be forgotten in this call.
local turns = mode == 'query' and 0 or due
if isPut and time == 0 then
  local slot = newest % 3
  local more = #records / size - min(keys - taken[slot], half() - new[slot])
  turns = more < 0 and 0 or min(3, 1 + floor(more / max(1, floor(keys / 2))))
end
local seen = {}
for at = 1, #records, size do
  local c = unp('<I4', records, at)
  if not seen[c] then
    seen[c] = true
    for age = 0, 2 do
      local bad = age > 2 - due and later(newest - age, c) or age <= 2 - due and problem(newest - age, c)
      if bad then return bad end
    end
  end
end
for age = 3 - turns, 2 do
  for c = 0, count - 1 do
    local bad = later(newest - age, c)
    if bad then return bad end
  end
end

local isMoved = isOtherClock
local function begin()
  newest = newest + 1
  local slot = newest % 3
  local gone = {}
  for c = 0, count - 1 do gone[c + 1] = key(slot, c) end
  call('UNLINK', unpack(gone))
  present[slot], there[slot], taken[slot], new[slot] = string.rep('0', count), {}, 0, 0
  isMoved = true
end
-- Queries, and keys that are remembered and not put, leave out what the next put forgets.
local leftOut = due
local function forget()
  if leftOut == 0 then return end
  for _ = 1, leftOut do begin() end
  began, leftOut = begins, 0
end
if mode == 'put' or mode == 'state' then forget() end
local left = call('PTTL', record)
-- With another clock this comes first too, since a server without memory allows it, and then all.
if left < life * 3 / 4 or isOtherClock then
  call('PEXPIRE', record, number(life))
  for slot = 0, 2 do
    for c = 0, count - 1 do
      if string.byte(present[slot], c + 1) == 49 then call('PEXPIRE', key(slot, c), number(life + longer)) end
    end
  end
  left = life
end

local function make(slot, c)
  local name = key(slot, c)
  -- Its last byte first: Redis allocates just that, and does not make room to grow.
  call('SETRANGE', name, number(length(c) - 1), '\0')
  call('SETRANGE', name, 0, header(newest, c))
  call('PEXPIRE', name, number(left + longer))
  present[slot] = string.sub(present[slot], 1, c) .. '1' .. string.sub(present[slot], c + 2)
  there[slot][c] = true
  isMoved = true
end
local contains, set = {}, {}
contains['2'] = function(name, at)
  local where, a, b, c, d = unp('<I4I4I4I4I4', records, at + 4)
  local w, x, y, z = unp('<I4I4I4I4', call('GETRANGE', name, where, where + 15))
  return band(a, bnot(w)) == 0 and band(b, bnot(x)) == 0 and band(c, bnot(y)) == 0 and band(d, bnot(z)) == 0
end
set['2'] = function(name, at)
  local where, a, b, c, d = unp('<I4I4I4I4I4', records, at + 4)
  local w, x, y, z = unp('<I4I4I4I4', call('GETRANGE', name, where, where + 15))
  if band(a, bnot(w)) == 0 and band(b, bnot(x)) == 0 and band(c, bnot(y)) == 0 and band(d, bnot(z)) == 0 then
    return false
  end
  call('SETRANGE', name, where, pack('<i4i4i4i4', bor(a, w), bor(b, x), bor(c, y), bor(d, z)))
  return true
end
contains['4'] = function(name, at)
  local where, a, b, c, d, e, f, g, h = unp('<I4I4I4I4I4I4I4I4I4', records, at + 4)
  local o, p, q, r, s, t, u, v = unp('<I4I4I4I4I4I4I4I4', call('GETRANGE', name, where, where + 31))
  return band(a, bnot(o)) == 0 and band(b, bnot(p)) == 0 and band(c, bnot(q)) == 0 and band(d, bnot(r)) == 0
    and band(e, bnot(s)) == 0 and band(f, bnot(t)) == 0 and band(g, bnot(u)) == 0 and band(h, bnot(v)) == 0
end
set['4'] = function(name, at)
  local where, a, b, c, d, e, f, g, h = unp('<I4I4I4I4I4I4I4I4I4', records, at + 4)
  local o, p, q, r, s, t, u, v = unp('<I4I4I4I4I4I4I4I4', call('GETRANGE', name, where, where + 31))
  if band(a, bnot(o)) == 0 and band(b, bnot(p)) == 0 and band(c, bnot(q)) == 0 and band(d, bnot(r)) == 0
    and band(e, bnot(s)) == 0 and band(f, bnot(t)) == 0 and band(g, bnot(u)) == 0 and band(h, bnot(v)) == 0 then
    return false
  end
  call('SETRANGE', name, where, pack('<i4i4i4i4i4i4i4i4', bor(a, o), bor(b, p), bor(c, q), bor(d, r),
    bor(e, s), bor(f, t), bor(g, u), bor(h, v)))
  return true
end
local function containsBits(name, at)
  for bit = at + 4, at + size - 4, 4 do
    if call('GETBIT', name, (unp('<I4', records, bit))) == 0 then return false end
  end
  return true
end
local function setBits(name, at)
  local isChanged = false
  for bit = at + 4, at + size - 4, 4 do
    if call('SETBIT', name, (unp('<I4', records, bit)), 1) == 0 then isChanged = true end
  end
  return isChanged
end
local has, put = contains[kind] or containsBits, set[kind] or setBits
local function remembers(youngest, c, at)
  for age = youngest, 2 - leftOut do
    local slot = (newest - age) % 3
    if there[slot][c] and has(key(slot, c), at) then return true end
  end
  return false
end
local isCounted = false
-- Puts a key; returns whether the youngest generation had it not.
local function changes(c, at)
  local slot = newest % 3
  if not there[slot][c] then make(slot, c) end
  return put(key(slot, c), at)
end
local function counted(isNew)
  local slot = newest % 3
  taken[slot] = taken[slot] + 1
  if isNew then new[slot] = new[slot] + 1 end
  isCounted = true
  if time > 0 then return end
  if taken[slot] >= keys or new[slot] >= half() then begin() end
end

local answers = {}
if mode == 'query' then
  for at = 1, #records, size do
    answers[#answers + 1] = remembers(0, unp('<I4', records, at), at) and '1' or '0'
  end
elseif mode == 'put' then
  for at = 1, #records, size do
    local c = unp('<I4', records, at)
    local isNew = false
    if changes(c, at) then
      isNew = not remembers(1, c, at)
      counted(isNew)
    end
    answers[#answers + 1] = isNew and '1' or '0'
  end
elseif mode == 'absent' then
  for at = 1, #records, size do
    local c = unp('<I4', records, at)
    local isNew = not remembers(0, c, at)
    if isNew then
      forget()
      changes(c, at)
      counted(true)
    end
    answers[#answers + 1] = isNew and '1' or '0'
  end
end
if isMoved then
  call('HSET', record, 'newest', number(newest), 'began', number(began), 'last', number(now), 'clock', run,
    'present:0', present[0], 'present:1', present[1], 'present:2', present[2],
    'taken:0', number(taken[0]), 'taken:1', number(taken[1]), 'taken:2', number(taken[2]),
    'new:0', number(new[0]), 'new:1', number(new[1]), 'new:2', number(new[2]))
elseif isCounted or (isPut and (now < last or now - last > step / 64)) then
  local slot = newest % 3
  call('HSET', record, 'taken:' .. slot, number(taken[slot]), 'new:' .. slot, number(new[slot]), 'last', number(now))
end
if mode ~= 'state' then return table.concat(answers) end
-- Of each generation, the youngest first: the keys, the new ones, and the bits of the first part asked for.
local state = {left}
for age = 0, 2 do
  local slot = (newest - age) % 3
  local c = #records >= 4 and unp('<I4', records, 1)
  state[#state + 1] = taken[slot]
  state[#state + 1] = new[slot]
  state[#state + 1] = c and there[slot][c] and call('BITCOUNT', key(slot, c), 64, -1) or 0
end
return state
