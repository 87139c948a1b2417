-- ARGV: a prefix of the generation that is to be; what is of it or of later ones stays.
for _, key in ipairs(KEYS) do
  if not later(key, ARGV[1]) then redis.call('UNLINK', key) end
end
return 1
