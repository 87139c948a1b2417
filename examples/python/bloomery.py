#!/usr/bin/env python3
"""Reads Bloomery filters: an independent reader of docs/FORMAT.md, of the standard library alone.

As a library:

    from bloomery import Filter
    seen = Filter.open("seen.bloom")
    "https://example.org/" in seen      # False: certainly absent

As a command:

    bloomery.py info FILE               what the header says
    bloomery.py check FILE KEY...       prints the keys that might be contained; exit 1 if none
    bloomery.py compare FILE TABLE      answers and positions against a table of expected ones
"""

import struct
import sys
import uuid

MASK = (1 << 64) - 1


# --- XXH3, 64 bits, from the specification of xxHash ------------------------------------------

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)

P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
P64 = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)
MX1 = 0x165667919E3779F9
MX2 = 0x9FB21C651E98DF25


def _u32(data, at):
    return int.from_bytes(data[at : at + 4], "little")


def _u64(data, at):
    return int.from_bytes(data[at : at + 8], "little")


def _rotl(x, n):
    return ((x << n) | (x >> (64 - n))) & MASK


def _swap64(x):
    return int.from_bytes(x.to_bytes(8, "little"), "big")


def _fold(a, b):
    product = a * b
    return (product & MASK) ^ (product >> 64)


def _avalanche(h):
    h ^= h >> 37
    h = h * MX1 & MASK
    return h ^ (h >> 32)


def _avalanche64(h):
    h ^= h >> 33
    h = h * P64[1] & MASK
    h ^= h >> 29
    h = h * P64[2] & MASK
    return h ^ (h >> 32)


def _mix16(data, at, secret, secret_at, seed):
    low = _u64(data, at) ^ ((_u64(secret, secret_at) + seed) & MASK)
    high = _u64(data, at + 8) ^ ((_u64(secret, secret_at + 8) - seed) & MASK)
    return _fold(low, high)


def _xxh3_short(data, seed):
    size = len(data)
    if size == 0:
        return _avalanche64(seed ^ _u64(SECRET, 56) ^ _u64(SECRET, 64))
    if size <= 3:
        combined = (data[0] << 16) | (data[size >> 1] << 24) | data[-1] | (size << 8)
        flip = ((_u32(SECRET, 0) ^ _u32(SECRET, 4)) + seed) & MASK
        return _avalanche64(combined ^ flip)
    if size <= 8:
        swapped = int.from_bytes((seed & 0xFFFFFFFF).to_bytes(4, "little"), "big")
        seed ^= swapped << 32
        flip = ((_u64(SECRET, 8) ^ _u64(SECRET, 16)) - seed) & MASK
        h = ((_u32(data, size - 4) + (_u32(data, 0) << 32)) & MASK) ^ flip
        h ^= _rotl(h, 49) ^ _rotl(h, 24)
        h = h * MX2 & MASK
        h ^= (h >> 35) + size
        h = h * MX2 & MASK
        return h ^ (h >> 28)
    flip1 = ((_u64(SECRET, 24) ^ _u64(SECRET, 32)) + seed) & MASK
    flip2 = ((_u64(SECRET, 40) ^ _u64(SECRET, 48)) - seed) & MASK
    low = _u64(data, 0) ^ flip1
    high = _u64(data, size - 8) ^ flip2
    return _avalanche((size + _swap64(low) + high + _fold(low, high)) & MASK)


def _xxh3_medium(data, seed):
    size = len(data)
    acc = size * P64[0]
    if size <= 128:
        for i in reversed(range((size - 1) // 32)):
            acc += _mix16(data, 16 + 16 * i, SECRET, 32 + 32 * i, seed)
            acc += _mix16(data, size - 32 - 16 * i, SECRET, 48 + 32 * i, seed)
        acc += _mix16(data, 0, SECRET, 0, seed) + _mix16(data, size - 16, SECRET, 16, seed)
        return _avalanche(acc & MASK)
    for i in range(8):
        acc += _mix16(data, 16 * i, SECRET, 16 * i, seed)
    acc = _avalanche(acc & MASK)
    for i in range(8, size // 16):
        acc += _mix16(data, 16 * i, SECRET, 16 * (i - 8) + 3, seed)
    acc += _mix16(data, size - 16, SECRET, 136 - 17, seed)
    return _avalanche(acc & MASK)


def _xxh3_long(data, seed):
    secret = bytearray()
    for i in range(0, 192, 16):
        secret += ((_u64(SECRET, i) + seed) & MASK).to_bytes(8, "little")
        secret += ((_u64(SECRET, i + 8) - seed) & MASK).to_bytes(8, "little")
    acc = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]

    def accumulate(at, secret_at):
        for i in range(8):
            value = _u64(data, at + 8 * i)
            keyed = value ^ _u64(secret, secret_at + 8 * i)
            acc[i ^ 1] = (acc[i ^ 1] + value) & MASK
            acc[i] = (acc[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32)) & MASK

    stripes = (len(data) - 1) // 64
    for stripe in range(stripes):
        accumulate(64 * stripe, 8 * (stripe % 16))
        if stripe % 16 == 15:
            for i in range(8):
                x = acc[i] ^ (acc[i] >> 47) ^ _u64(secret, 128 + 8 * i)
                acc[i] = x * P32[0] & MASK
    accumulate(len(data) - 64, 192 - 64 - 7)
    result = len(data) * P64[0]
    for i in range(4):
        at = 11 + 16 * i
        result += _fold(acc[2 * i] ^ _u64(secret, at), acc[2 * i + 1] ^ _u64(secret, at + 8))
    return _avalanche(result & MASK)


def xxh3(data, seed=0):
    """The 64-bit XXH3 of bytes."""
    seed &= MASK
    if len(data) <= 16:
        return _xxh3_short(data, seed)
    return _xxh3_medium(data, seed) if len(data) <= 240 else _xxh3_long(data, seed)


# --- SplitMix64 -------------------------------------------------------------------------------


def splitmix64(number):
    """One step of SplitMix64 from a number."""
    a = (number + 0x9E3779B97F4A7C15) & MASK
    b = (a ^ (a >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    c = (b ^ (b >> 27)) * 0x94D049BB133111EB & MASK
    return c ^ (c >> 31)


# --- hash ids ---------------------------------------------------------------------------------


def key_bytes(encoding, key):
    """The bytes that a key has under an encoding such as "utf8"; bytes are taken as they are."""
    if isinstance(key, (bytes, bytearray)):
        return bytes(key)
    if encoding == "utf8":
        # Python writes each lone surrogate as its three bytes, and pairs as one character.
        return key.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass").encode(
            "utf-8", "surrogatepass"
        )
    if encoding == "i64":
        return int(key).to_bytes(8, "little", signed=True)
    if encoding == "uuid":
        return (key if isinstance(key, uuid.UUID) else uuid.UUID(key)).bytes
    raise ValueError("keys of a filter of %s must be bytes, but was %r" % (encoding, key))


def hash_of(hash_id, key):
    """The hash of a key under a hash id, or the key itself if that is raw."""
    if hash_id == "raw":
        return int.from_bytes(key, "big") if isinstance(key, (bytes, bytearray)) else key & MASK
    if hash_id == "splitmix64/i64":
        return splitmix64(int.from_bytes(key_bytes("i64", key), "little"))
    name, _, rest = hash_id.partition("/")
    encoding, _, seed = rest.partition("/seed=")
    if name != "xxh3-64":
        raise ValueError(
            "hash id must be raw, splitmix64/i64 or begin with xxh3-64/, but is " + hash_id
        )
    return xxh3(key_bytes(encoding, key), int(seed or 0))


# --- probes -----------------------------------------------------------------------------------

PRODUCT = 0xD1342543DE82EF95
REMIX = 0x9E3779B97F4A7C15


def position(h, size):
    return (h >> 1) * size >> 63


def _probes(h):
    """All probes of a hash for bits in whole words, each with its bit, without end."""
    for turn in (0, 16, 32, 48):
        yield _rotl(h, turn), _rotl(h, (turn + 16) % 64) % 64
    product = h
    while True:
        product = _rotl(product * PRODUCT & MASK, 60)
        for turn in (0, 10, 20):
            yield _rotl(product, turn), _rotl(product, turn + 10) % 64


def _word(x, words):
    return (x & 0xFFFFFFFF) * words >> 32


def standard_positions(h, bits, probes):
    return [64 * _word(x, bits // 64) + bit for _, (x, bit) in zip(range(probes), _probes(h))]


def partitioned_positions(h, bits, probes):
    words = bits // 64 // probes
    return [
        64 * (words * i + _word(x, words)) + bit
        for i, (x, bit) in zip(range(probes), _probes(h))
    ]


def split_block_positions(h, bits, probes):
    if probes == 8:
        r = h * REMIX & MASK
        block = position(h, bits // 256)
        return [256 * block + 64 * (i // 2) + (r >> (16 + 6 * i) & 63) for i in range(8)]
    first = _word(h, bits // 64 - 1)
    shape = h >> 58
    positions = []
    for word, turn in ((first, h >> 32), (first + 1, h >> 38)):
        for bit in (0, 1 + shape % 31, 32 + shape // 2):
            positions.append(64 * word + (bit + turn) % 64)
    return positions


def counting_positions(h, bits, probes):
    word = _word(h, bits // 64)
    half = probes // 2
    if half == 2:
        distance = 1 + (h >> 59)
        first = [h >> 32 & 63, (h >> 32) + distance & 63]
        second = [h >> 38 & 63, (h >> 38) + distance & 63]
    else:
        r = h * REMIX & MASK
        first = [h >> 58, h >> 52 & 63, r >> 58, r >> 52 & 63]
        second = [h >> 46 & 63, h >> 40 & 63, r >> 46 & 63, r >> 40 & 63]
    other = word ^ 1
    return [64 * word + i for i in first[:half]] + [64 * other + i for i in second[:half]]


# --- files ------------------------------------------------------------------------------------


class FormatError(ValueError):
    """Says what is wrong with a file, and where."""


def _castagnoli_table():
    table = []
    for i in range(256):
        for _ in range(8):
            i = (i >> 1) ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    return table


_CRC = _castagnoli_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 255] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def _name(data, at, end):
    size = data[at]
    if size == 0 or at + 1 + size > end:
        raise FormatError("a name must have a byte and end before the header does, at %d" % at)
    return data[at + 1 : at + 1 + size].decode("ascii"), at + 1 + size


class Filter:
    """A filter as it stands in a file, to ask and not to change."""

    VERSIONS = (1,)

    def __init__(self, data):
        if len(data) < 64 or data[:8] != b"BLOOMERY":
            raise FormatError("must begin with BLOOMERY, at 0")
        self.version = data[8]
        if self.version not in self.VERSIONS:
            raise FormatError("version must be known, but is %d, at 8" % self.version)
        header, size, self.keys, self.rate = struct.unpack_from("<H4xqqd", data, 10)
        end = header - 4
        if header % 64 or not 64 <= header <= 8192 or header > len(data):
            raise FormatError("header must be multiples of 64 bytes, but has %d, at 10" % header)
        if crc32c(data[:end]) != _u32(data, end):
            raise FormatError("checksum of the header must match, at %d" % end)
        mebibytes = -(-size // (1 << 20))
        expected = -(-(header + size + 4 * (mebibytes + 1)) // 64) * 64
        if size < 0 or size % 8 or len(data) != expected:
            raise FormatError("must have %d bytes, but has %d, at 16" % (expected, len(data)))
        self.variant, at = _name(data, 40, end)
        self.hash_id, at = _name(data, at, end)
        count, at = data[at], at + 1
        self.layout = {}
        for _ in range(count):
            name, at = _name(data, at, end)
            self.layout[name] = struct.unpack_from("<q", data, at)[0]
            at += 8
        if any(data[9:10]) or any(data[12:16]) or any(data[at:end]):
            raise FormatError("reserved bytes and padding must be zero, before %d" % end)
        trailer = header + size
        if crc32c(data[trailer : len(data) - 4]) != _u32(data, len(data) - 4):
            raise FormatError("checksum of the trailer must match, at %d" % (len(data) - 4))
        for i in range(mebibytes):
            start = header + (i << 20)
            if crc32c(data[start : min(start + (1 << 20), trailer)]) != _u32(data, trailer + 4 * i):
                raise FormatError("checksum of the MiB from %d on must match" % start)
        if any(data[trailer + 4 * mebibytes : len(data) - 4]):
            raise FormatError("padding must be zero, after %d" % trailer)
        self._tables = self._read(data[header:trailer])

    @classmethod
    def open(cls, path):
        with open(path, "rb") as file:
            return cls(file.read())

    def _read(self, payload):
        """The tables to ask: pairs of a function that gives positions and of words."""
        words = struct.unpack("<%dQ" % (len(payload) // 8), payload)
        if self.variant == "scalable":
            return self._slices(words)
        bits, probes = self.layout["bits"], self.layout["probes"]
        kinds = {
            "standard": standard_positions,
            "partitioned": partitioned_positions,
            "split-block": split_block_positions,
            "counting": counting_positions,
        }
        if self.variant not in kinds:
            raise FormatError("variant must be known, but is %s, at 40" % self.variant)
        if self.variant == "counting":
            self._planes = words
            beyond = words[3 * bits // 64 :]
            self._overflow = dict(zip(beyond[::2], beyond[1::2]))
        return [(kinds[self.variant], bits, probes, words)]

    @staticmethod
    def _slices(words):
        tables = []
        at = 1 + 4 * words[0]
        for i in range(words[0]):
            kind, bits, probes, _ = words[1 + 4 * i : 5 + 4 * i]
            positions = (standard_positions, split_block_positions)[kind]
            tables.append((positions, bits, probes, words[at : at + bits // 64]))
            at += bits // 64
        return tables

    def positions(self, h):
        """The positions of a hash, table by table."""
        return [kind(h, bits, probes) for kind, bits, probes, _ in self._tables]

    def might_contain_hash(self, h):
        for kind, bits, probes, words in self._tables:
            if all(words[i // 64] >> (i % 64) & 1 for i in kind(h, bits, probes)):
                return True
        return False

    def __contains__(self, key):
        return self.might_contain_hash(hash_of(self.hash_id, key))

    def count(self, key):
        """How often a key has probably been put into a counting filter: at most so often."""
        ((kind, bits, probes, words),) = self._tables
        counts = []
        for i in kind(hash_of(self.hash_id, key), bits, probes):
            word, bit = i // 64, i % 64
            present = words[word] >> bit & 1
            at = bits // 64 + 2 * word
            low, high = words[at] >> bit & 1, words[at + 1] >> bit & 1
            counts.append(present and 1 + low + 2 * high + self._overflow.get(i, 0))
        return min(counts)


# --- command ----------------------------------------------------------------------------------


def _compare(path, table):
    """Compares with lines of a key's bytes, in hex, its answer, and its positions if known."""
    seen = Filter.open(path)
    differences = 0
    lines = 0
    with open(table, encoding="ascii") as file:
        for line in file:
            key, answer, count, positions = line.rstrip("\n").split("\t")
            h = hash_of(seen.hash_id, bytes.fromhex(key))
            same = seen.might_contain_hash(h) == (answer == "1")
            if count:
                same = same and seen.count(bytes.fromhex(key)) == int(count)
            if positions:
                expected = sorted(map(int, positions.split(",")))
                same = same and sorted(seen.positions(h)[0]) == expected
            lines += 1
            if not same:
                differences += 1
                print("%s differs: %s" % (path, line.rstrip("\n")))
    print("%s: %d keys, %d differences" % (path, lines, differences))
    return 1 if differences or lines == 0 else 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "info":
        seen = Filter.open(arguments[1])
        print("variant %s, hash %s" % (seen.variant, seen.hash_id))
        print("made for %d keys at a rate of %r" % (seen.keys, seen.rate))
        print("layout " + ", ".join("%s %d" % item for item in seen.layout.items()))
        return 0
    if len(arguments) >= 3 and arguments[0] == "check":
        seen = Filter.open(arguments[1])
        found = [key for key in arguments[2:] if key in seen]
        for key in found:
            print(key)
        return 0 if found else 1
    if len(arguments) >= 3 and len(arguments) % 2 == 1 and arguments[0] == "compare":
        pairs = zip(arguments[1::2], arguments[2::2])
        return max([_compare(path, table) for path, table in pairs])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as error:
        print("bloomery.py: %s" % error, file=sys.stderr)
        sys.exit(2)
