-- KEYS: the chunk, and the one that is to follow it, unless this is only for the chunk.
-- ARGV: for each, accepted histories, prefix (empty: there is none), length, kind and records.
local call, unp, pack = redis.call, struct.unpack, struct.pack
local band, bnot, bor = bit.band, bit.bnot, bit.bor
local put = {}
put['2'] = function(key, records)
  local new = {}
  for i = 1, #records / 20 do
    local at, a, b, c, d = unp('<I4I4I4I4I4', records, i * 20 - 19)
    local w, x, y, z = unp('<I4I4I4I4', call('GETRANGE', key, at, at + 15))
    if band(a, bnot(w)) == 0 and band(b, bnot(x)) == 0 and band(c, bnot(y)) == 0 and band(d, bnot(z)) == 0 then
      new[i] = '0'
    else
      new[i] = '1'
      call('SETRANGE', key, at, pack('<i4i4i4i4', bor(a, w), bor(b, x), bor(c, y), bor(d, z)))
    end
  end
  return table.concat(new)
end
put['4'] = function(key, records)
  local new = {}
  for i = 1, #records / 36 do
    local at, a, b, c, d, e, f, g, h = unp('<I4I4I4I4I4I4I4I4I4', records, i * 36 - 35)
    local o, p, q, r, s, t, u, v = unp('<I4I4I4I4I4I4I4I4', call('GETRANGE', key, at, at + 31))
    if band(a, bnot(o)) == 0 and band(b, bnot(p)) == 0 and band(c, bnot(q)) == 0 and band(d, bnot(r)) == 0
      and band(e, bnot(s)) == 0 and band(f, bnot(t)) == 0 and band(g, bnot(u)) == 0 and band(h, bnot(v)) == 0 then
      new[i] = '0'
    else
      new[i] = '1'
      call('SETRANGE', key, at, pack('<i4i4i4i4i4i4i4i4', bor(a, o), bor(b, p), bor(c, q), bor(d, r),
        bor(e, s), bor(f, t), bor(g, u), bor(h, v)))
    end
  end
  return table.concat(new)
end
local function bits(key, records, probes)
  local new = {}
  local at = 1
  for i = 1, #records / (4 * probes) do
    local one = '0'
    for _ = 1, probes do
      if call('SETBIT', key, (unp('<I4', records, at)), 1) == 0 then one = '1' end
      at = at + 4
    end
    new[i] = one
  end
  return table.concat(new)
end
local function into(key, kind, records)
  local words = put[kind]
  if words then return words(key, records) end
  return bits(key, records, tonumber(string.sub(kind, 2)))
end
local taken = false
if KEYS[2] then
  local found = prefix(KEYS[2])
  if found ~= ARGV[7] then return {'N', found} end
  if found ~= '' then
    local bad = other(KEYS[2], ARGV[6], ARGV[7], ARGV[8])
    if bad then return bad end
    taken = true
  end
end
local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if bad then
  -- What was lost cannot answer, but what follows it is to have the keys that come meanwhile.
  if not taken or (bad[1] == 'G' and bad[2] ~= '') then return bad end
  into(KEYS[2], ARGV[9], ARGV[10])
  return {'O', bad[1]}
end
if taken then into(KEYS[2], ARGV[9], ARGV[10]) end
return into(KEYS[1], ARGV[4], ARGV[5])
