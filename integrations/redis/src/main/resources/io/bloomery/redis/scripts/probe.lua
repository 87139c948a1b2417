return other(KEYS[1], ARGV[1], ARGV[2], ARGV[3]) or 1
