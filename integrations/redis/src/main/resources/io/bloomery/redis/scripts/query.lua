local bad = other(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if bad then return bad end
local key, kind, records = KEYS[1], ARGV[4], ARGV[5]
local call, unp, band, bnot = redis.call, struct.unpack, bit.band, bit.bnot
local maybe = {}
if kind == '2' then
  for i = 1, #records / 20 do
    local at, a, b, c, d = unp('<I4I4I4I4I4', records, i * 20 - 19)
    local w, x, y, z = unp('<I4I4I4I4', call('GETRANGE', key, at, at + 15))
    maybe[i] = band(a, bnot(w)) == 0 and band(b, bnot(x)) == 0 and band(c, bnot(y)) == 0
      and band(d, bnot(z)) == 0 and '1' or '0'
  end
elseif kind == '4' then
  for i = 1, #records / 36 do
    local at, a, b, c, d, e, f, g, h = unp('<I4I4I4I4I4I4I4I4I4', records, i * 36 - 35)
    local o, p, q, r, s, t, u, v = unp('<I4I4I4I4I4I4I4I4', call('GETRANGE', key, at, at + 31))
    maybe[i] = band(a, bnot(o)) == 0 and band(b, bnot(p)) == 0 and band(c, bnot(q)) == 0
      and band(d, bnot(r)) == 0 and band(e, bnot(s)) == 0 and band(f, bnot(t)) == 0
      and band(g, bnot(u)) == 0 and band(h, bnot(v)) == 0 and '1' or '0'
  end
else
  local probes = tonumber(string.sub(kind, 2))
  local at = 1
  for i = 1, #records / (4 * probes) do
    maybe[i] = '1'
    for j = 0, probes - 1 do
      if call('GETBIT', key, (unp('<I4', records, at + 4 * j))) == 0 then
        maybe[i] = '0'
        break
      end
    end
    at = at + 4 * probes
  end
end
return table.concat(maybe)
