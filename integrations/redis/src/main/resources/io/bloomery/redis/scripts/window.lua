-- Looks up keys in a window, or puts them after it has forgotten what is due. Nothing is written
-- before all that is needed was checked.
-- KEYS: the record and the parts.
-- ARGV: the id of the window, the packed length of each part, what to do, the parts that it takes,
-- the kind of records, the size of one, and the records: of each key its part, and where in the part
-- which bits are.
local call, unp, pack = redis.call, struct.unpack, struct.pack
local band, bor = bit.band, bit.bor
local floor, max, min = math.floor, math.max, math.min
local record, id, lengths, mode, parts = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local kind, size, records = ARGV[5], tonumber(ARGV[6]), ARGV[7]
local count = #KEYS - 1
-- The milliseconds by which parts outlive the record: without it they say nothing.
local longer = 1000
-- A cell has the number of a generation, words of it, and the same words of the two before.
local width, modulus = kind == '4' and 32 or 8, 4294967296
-- A table without blocks has no cells, but a part for each generation.
local isWhole = string.sub(kind, 1, 1) == 'b'
-- Not as Lua writes numbers, with 14 digits.
local function number(n) return string.format('%.0f', n) end

local fields = {'id', 'primaries', 'clock', 'present', 'keys', 'time', 'life', 'newest', 'began', 'last',
  'taken:0', 'taken:1', 'taken:2', 'new:0', 'new:1', 'new:2'}
local found = redis.pcall('HMGET', record, unpack(fields))
if found.err then
  if string.find(found.err, '^WRONGTYPE') then
    return {'D', 'it must be a hash, but is a ' .. call('TYPE', record).ok}
  end
  return found
end
if not found[1] and call('EXISTS', record) == 0 then return {'M'} end
if found[1] and found[1] ~= id then return {'I'} end
for i, field in ipairs(fields) do
  local is = found[i]
  if not is then return {'D', "it must have a field '" .. field .. "', but has none"} end
  if i > 4 then
    found[i] = tonumber(is)
    if not found[i] then return {'D', "its field '" .. field .. "' must be a number", is} end
  elseif i == 4 and #is ~= count then
    return {'D', "its field 'present' must have a digit for each of " .. count .. ' parts', is}
  end
end
local who, run = stranger(found[2])
if who then return {'P', who} end
local present, keys, time, life, newest, began, last = unpack(found, 4, 10)
local taken = {[0] = found[11], found[12], found[13]}
local new = {[0] = found[14], found[15], found[16]}

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

local function isPresent(c) return string.byte(present, c + 1) == 49 end
local function length(c) return (unp('<I4', lengths, 4 * c + 1)) end
local function generation() return pack('<I4I4', newest % modulus, floor(newest / modulus)) end
local function header(c)
  return 'BLOOMWIN' .. id .. generation() .. pack('<I4I4', c, count) .. string.rep('\0', 32)
end
local function problem(c)
  local name = KEYS[c + 2]
  if not isPresent(c) then return call('EXISTS', name) == 1 and {'X', name} end
  local is = prefix(name)
  if is == '' then return {'L', name} end
  if is ~= header(c) then return {'G', name} end
  if call('STRLEN', name) ~= length(c) then return {'S', name, call('STRLEN', name)} end
end
-- Half of the window, rounded up and down in turns: so many new keys close the newest generation.
local function half() return newest % 2 == 1 and keys - floor(keys / 2) or max(1, floor(keys / 2)) end
local isPut = mode == 'put' or mode == 'absent'
local canForget = mode ~= 'query' and due > 0
if isPut and time == 0 then
  local slot = newest % 3
  canForget = #records / size >= min(keys - taken[slot], half() - new[slot])
end
for i = 1, canForget and count or #parts / 4 do
  local bad = problem(canForget and i - 1 or unp('<I4', parts, 4 * i - 3))
  if bad then return bad end
end

local isMoved = isOtherClock
local names = {}
local function setPresent(c, is)
  present = string.sub(present, 1, c) .. (is and '1' or '0') .. string.sub(present, c + 2)
  names[c] = is and KEYS[c + 2] or nil
  isMoved = true
end
local first, most = newest % modulus, half()
local function begin(generations)
  for _ = 1, generations do
    newest = newest + 1
    local slot = newest % 3
    taken[slot], new[slot] = 0, 0
    if isWhole and isPresent(slot) then
      call('UNLINK', KEYS[slot + 2])
      setPresent(slot, false)
    end
  end
  first, most = newest % modulus, half()
  -- Before words of the generation are written: if a later command fails, no part is that of the
  -- record any more.
  for c = 0, count - 1 do
    if isPresent(c) then call('SETRANGE', KEYS[c + 2], 16, generation()) end
  end
  isMoved = true
end
-- Queries, and keys that are remembered and not put, leave out what the next put forgets.
local leftOut = due
local function forget()
  if leftOut == 0 then return end
  begin(leftOut)
  began, leftOut = begins, 0
end
if mode == 'put' or mode == 'state' then forget() end
local left = call('PTTL', record)
-- With another clock this comes first too, since a server without memory allows it, and then all.
if left < life * 3 / 4 or isOtherClock then
  call('PEXPIRE', record, number(life))
  for c = 0, count - 1 do
    if isPresent(c) then call('PEXPIRE', KEYS[c + 2], number(life + longer)) end
  end
  left = life
end

local function make(c)
  local name = KEYS[c + 2]
  -- Whoever may not do this is told so while nothing is there that would stay for ever.
  call('PEXPIRE', name, 1)
  -- Its last byte first: Redis allocates just that, and does not make room to grow.
  call('SETRANGE', name, number(length(c) - 1), '\0')
  call('SETRANGE', name, 0, header(c))
  call('PEXPIRE', name, number(left + longer))
  setPresent(c, true)
end
for i = 1, #parts, 4 do
  local c = unp('<I4', parts, i)
  -- What is put if absent is so where there is no part.
  if isPut and not isWhole and not isPresent(c) then make(c) end
  if isPresent(c) then names[c] = KEYS[c + 2] end
end
-- The words of a cell by generations, the newest first.
local function aged(generation, a, b, c, d, e, f)
  local age = (first - generation) % modulus
  if age == 0 then return a, b, c, d, e, f end
  if age == 1 then return 0, 0, a, b, c, d end
  if age == 2 then return 0, 0, 0, 0, a, b end
  return 0, 0, 0, 0, 0, 0
end
-- Returns the age of the youngest generation that has a key, 3 if none has it; puts the key into the
-- newest if this is more than the one given.
local ageIn = {}
ageIn['2'] = function(at, put)
  local part, where, k, l, m, n = unp('<I4I4i4i4i4i4', records, at)
  local name = names[part]
  if not name then return 3 end
  local x, a, b, c, d, e, f, y, o, p, q, r, s, t = unp('<I4i4i4i4i4i4i4I4i4i4i4i4i4i4',
    call('GETRANGE', name, where, where + 55))
  if x ~= first then a, b, c, d, e, f = aged(x, a, b, c, d, e, f) end
  if y ~= first then o, p, q, r, s, t = aged(y, o, p, q, r, s, t) end
  local age = band(a, k) == k and band(b, l) == l and band(o, m) == m and band(p, n) == n and 0
    or band(c, k) == k and band(d, l) == l and band(q, m) == m and band(r, n) == n and 1
    or band(e, k) == k and band(f, l) == l and band(s, m) == m and band(t, n) == n and 2
    or 3
  if age > put then
    call('SETRANGE', name, where, pack('<I4i4i4i4i4i4i4I4i4i4i4i4i4i4',
      first, bor(a, k), bor(b, l), c, d, e, f, first, bor(o, m), bor(p, n), q, r, s, t))
  end
  return age
end
ageIn['4'] = function(at, put)
  local part, where, a, b, c, d, e, f, g, h = unp('<I4I4i4i4i4i4i4i4i4i4', records, at)
  local name = names[part]
  if not name then return 3 end
  local read = call('GETRANGE', name, where, where + 99)
  local young, o, p, q, r, s, t, u, v = unp('<I4i4i4i4i4i4i4i4i4', read)
  young = (first - young) % modulus
  local age = 3
  if young < 3 and band(a, o) == a and band(b, p) == b and band(c, q) == c and band(d, r) == d
    and band(e, s) == e and band(f, t) == f and band(g, u) == g and band(h, v) == h then
    age = young
  else
    for i = young + 1, 2 do
      -- Most are absent by their first word.
      local k, l, next = unp('<i4i4', read, 5 + (i - young) * 32)
      if band(a, k) == a and band(b, l) == b then
        local w, x, y, z, m, n = unp('<i4i4i4i4i4i4', read, next)
        if band(c, w) == c and band(d, x) == d and band(e, y) == e and band(f, z) == f
          and band(g, m) == g and band(h, n) == h then
          age = i
          break
        end
      end
    end
  end
  if age <= put then return age end
  if young > 0 then
    call('SETRANGE', name, where, pack('<I4i4i4i4i4i4i4i4i4', first, a, b, c, d, e, f, g, h)
      .. string.rep('\0', 32 * min(2, young - 1)) .. string.sub(read, 5, max(4, 100 - 32 * young)))
  else
    call('SETRANGE', name, where + 4, pack('<i4i4i4i4i4i4i4i4', bor(a, o), bor(b, p), bor(c, q), bor(d, r),
      bor(e, s), bor(f, t), bor(g, u), bor(h, v)))
  end
  return age
end
local function hasBits(generation, at)
  local name = names[generation % 3]
  if not name then return false end
  for bit = at + 4, at + size - 4, 4 do
    if call('GETBIT', name, (unp('<I4', records, bit))) == 0 then return false end
  end
  return true
end
local function setBits(at)
  local slot = newest % 3
  if not names[slot] then make(slot) end
  local isChanged = false
  for bit = at + 4, at + size - 4, 4 do
    if call('SETBIT', names[slot], (unp('<I4', records, bit)), 1) == 0 then isChanged = true end
  end
  return isChanged
end
local function ageInBits(at, put)
  if put == 0 and not setBits(at) then return 0 end
  for age = put == 0 and 1 or 0, 2 do
    if hasBits(newest - age, at) then return age end
  end
  if put == 2 then setBits(at) end
  return 3
end
local age = ageIn[kind] or ageInBits
local isCounted = false
local function counted(isNew)
  local slot = newest % 3
  taken[slot] = taken[slot] + 1
  if isNew then new[slot] = new[slot] + 1 end
  isCounted = true
  if time == 0 and (taken[slot] >= keys or new[slot] >= most) then begin(1) end
end

local answer = {}
function answer.query(at) return age(at, 3) <= 2 - leftOut end
function answer.put(at)
  local found = age(at, 0)
  if found > 0 then counted(found == 3) end
  return found == 3
end
function answer.absent(at)
  if leftOut > 0 then
    if age(at, 3) <= 2 - leftOut then return false end
    forget()
  end
  local isNew = age(at, 2) == 3
  if isNew then counted(true) end
  return isNew
end
local answers = {}
local answered = answer[mode]
for i = 1, answered and #records / size or 0 do
  answers[i] = answered((i - 1) * size + 1) and '1' or '0'
end
if isMoved then
  call('HSET', record, 'newest', number(newest), 'began', number(began), 'last', number(now), 'clock', run,
    'present', present, 'taken:0', number(taken[0]), 'taken:1', number(taken[1]), 'taken:2', number(taken[2]),
    'new:0', number(new[0]), 'new:1', number(new[1]), 'new:2', number(new[2]))
elseif isCounted or (isPut and (now < last or now - last > step / 64)) then
  local slot = newest % 3
  call('HSET', record, 'taken:' .. slot, number(taken[slot]), 'new:' .. slot, number(new[slot]), 'last', number(now))
end
if mode ~= 'state' then return table.concat(answers) end
-- Of each generation, the youngest first: the keys, the new ones, and the bits of the cells asked for.
local bits = {[0] = 0, 0, 0}
for at = 1, #records, size do
  local c, where = unp('<I4I4', records, at)
  if names[c] and isWhole then
    bits[(newest - c) % 3] = call('BITCOUNT', names[c], where, -1)
  elseif names[c] then
    local young = (first - unp('<I4', call('GETRANGE', names[c], where, where + 3))) % modulus
    for i = young, 2 do
      local from = where + 4 + (i - young) * width
      bits[i] = bits[i] + call('BITCOUNT', names[c], from, from + width - 1)
    end
  end
end
local state = {left}
for i = 0, 2 do
  local slot = (newest - i) % 3
  state[#state + 1] = taken[slot]
  state[#state + 1] = new[slot]
  state[#state + 1] = bits[i]
end
return state
