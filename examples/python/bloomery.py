#!/usr/bin/env python3
"""Reads Bloomery filters: an independent reader of docs/FORMAT.md, of the standard library alone.

As a library:

    from bloomery import Filter
    seen = Filter.open("seen.bloom")
    "https://example.org/" in seen      # False: certainly absent
    ("ada", 7) in users                 # keys of several fields are tuples
    Filter.open("seen.bloom", secret)   # made with a secret, which is bytes
    "Bob" in names                      # in the key form of the file, which is applied to each key
    "key-1" in Shards("seen.shards")    # a folder of shards

As a command:

    bloomery.py info FILE               what the header says
    bloomery.py check FILE KEY...       prints the keys that might be contained; exit 1 if none; FILE
                                        may be a folder of shards
    bloomery.py compare FILE TABLE      answers and positions against a table of expected ones
    bloomery.py key FORM                reads keys, written in hexadecimal digits, and prints what a key
                                        form, or "integer", makes of each, or "invalid"
    bloomery.py verify FILE...          prints the files that no writer writes, and why; exit 1 if any

Behind the name of a command, --secret-file SECRET gives the secret of the files: the bytes of that file.
"""

import base64
import hashlib
import hmac
import os
import re
import struct
import sys
import uuid
from fractions import Fraction

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


# --- SipHash-2-4 ------------------------------------------------------------------------------


def siphash(key, data):
    """The 64-bit SipHash-2-4 of bytes under a key of 16 bytes."""
    k0, k1 = _u64(key, 0), _u64(key, 8)
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573

    def rounds(count):
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0, v2 = (v0 + v1) & MASK, (v2 + v3) & MASK
            v1, v3 = _rotl(v1, 13) ^ v0, _rotl(v3, 16) ^ v2
            v0 = (_rotl(v0, 32) + v3) & MASK
            v2 = (v2 + v1) & MASK
            v1, v3 = _rotl(v1, 17) ^ v2, _rotl(v3, 21) ^ v0
            v2 = _rotl(v2, 32)

    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for at in range(0, len(padded), 8):
        word = _u64(padded, at)
        v3 ^= word
        rounds(2)
        v0 ^= word
    v2 ^= 0xFF
    rounds(4)
    return v0 ^ v1 ^ v2 ^ v3


def _derived(secret, name):
    if not 16 <= len(secret) <= 4096:
        raise ValueError("secret must have from 16 to 4096 bytes, but has %d" % len(secret))
    # The label is the key: HMAC takes two keys that differ in zeros at the end for one.
    label = b"bloomery/siphash-2-4/" + name + b"/v1"
    return hmac.new(label, secret, hashlib.sha256).digest()


def fingerprint(secret):
    """What hash ids have in place of a secret."""
    return _derived(secret, b"fingerprint")[:8].hex()


# --- key forms --------------------------------------------------------------------------------

# Simple case folding of Unicode 15.0.0, the entries of status C and S in its CaseFolding.txt, as
# runs: first, last, step and what is to be added, in hex. From the Unicode Character Database,
# which is copyright of Unicode, Inc. Not by str.casefold, which is of Python's version of Unicode.
CASE_FOLDING = """
    41,5a,1,20 b5,b5,1,307 c0,d6,1,20 d8,de,1,20 100,12e,2,1 132,136,2,1 139,147,2,1 14a,176,2,1
    178,178,1,-79 179,17d,2,1 17f,17f,1,-10c 181,181,1,d2 182,184,2,1 186,186,1,ce 187,187,1,1
    189,18a,1,cd 18b,18b,1,1 18e,18e,1,4f 18f,18f,1,ca 190,190,1,cb 191,191,1,1 193,193,1,cd
    194,194,1,cf 196,196,1,d3 197,197,1,d1 198,198,1,1 19c,19c,1,d3 19d,19d,1,d5 19f,19f,1,d6
    1a0,1a4,2,1 1a6,1a6,1,da 1a7,1a7,1,1 1a9,1a9,1,da 1ac,1ac,1,1 1ae,1ae,1,da 1af,1af,1,1
    1b1,1b2,1,d9 1b3,1b5,2,1 1b7,1b7,1,db 1b8,1b8,1,1 1bc,1bc,1,1 1c4,1c4,1,2 1c5,1c5,1,1
    1c7,1c7,1,2 1c8,1c8,1,1 1ca,1ca,1,2 1cb,1db,2,1 1de,1ee,2,1 1f1,1f1,1,2 1f2,1f4,2,1
    1f6,1f6,1,-61 1f7,1f7,1,-38 1f8,21e,2,1 220,220,1,-82 222,232,2,1 23a,23a,1,2a2b 23b,23b,1,1
    23d,23d,1,-a3 23e,23e,1,2a28 241,241,1,1 243,243,1,-c3 244,244,1,45 245,245,1,47 246,24e,2,1
    345,345,1,74 370,372,2,1 376,376,1,1 37f,37f,1,74 386,386,1,26 388,38a,1,25 38c,38c,1,40
    38e,38f,1,3f 391,3a1,1,20 3a3,3ab,1,20 3c2,3c2,1,1 3cf,3cf,1,8 3d0,3d0,1,-1e 3d1,3d1,1,-19
    3d5,3d5,1,-f 3d6,3d6,1,-16 3d8,3ee,2,1 3f0,3f0,1,-36 3f1,3f1,1,-30 3f4,3f4,1,-3c
    3f5,3f5,1,-40 3f7,3f7,1,1 3f9,3f9,1,-7 3fa,3fa,1,1 3fd,3ff,1,-82 400,40f,1,50 410,42f,1,20
    460,480,2,1 48a,4be,2,1 4c0,4c0,1,f 4c1,4cd,2,1 4d0,52e,2,1 531,556,1,30 10a0,10c5,1,1c60
    10c7,10c7,1,1c60 10cd,10cd,1,1c60 13f8,13fd,1,-8 1c80,1c80,1,-184e 1c81,1c81,1,-184d
    1c82,1c82,1,-1844 1c83,1c84,1,-1842 1c85,1c85,1,-1843 1c86,1c86,1,-183c 1c87,1c87,1,-1824
    1c88,1c88,1,89c3 1c90,1cba,1,-bc0 1cbd,1cbf,1,-bc0 1e00,1e94,2,1 1e9b,1e9b,1,-3a
    1e9e,1e9e,1,-1dbf 1ea0,1efe,2,1 1f08,1f0f,1,-8 1f18,1f1d,1,-8 1f28,1f2f,1,-8 1f38,1f3f,1,-8
    1f48,1f4d,1,-8 1f59,1f5f,2,-8 1f68,1f6f,1,-8 1f88,1f8f,1,-8 1f98,1f9f,1,-8 1fa8,1faf,1,-8
    1fb8,1fb9,1,-8 1fba,1fbb,1,-4a 1fbc,1fbc,1,-9 1fbe,1fbe,1,-1c05 1fc8,1fcb,1,-56
    1fcc,1fcc,1,-9 1fd8,1fd9,1,-8 1fda,1fdb,1,-64 1fe8,1fe9,1,-8 1fea,1feb,1,-70 1fec,1fec,1,-7
    1ff8,1ff9,1,-80 1ffa,1ffb,1,-7e 1ffc,1ffc,1,-9 2126,2126,1,-1d5d 212a,212a,1,-20bf
    212b,212b,1,-2046 2132,2132,1,1c 2160,216f,1,10 2183,2183,1,1 24b6,24cf,1,1a 2c00,2c2f,1,30
    2c60,2c60,1,1 2c62,2c62,1,-29f7 2c63,2c63,1,-ee6 2c64,2c64,1,-29e7 2c67,2c6b,2,1
    2c6d,2c6d,1,-2a1c 2c6e,2c6e,1,-29fd 2c6f,2c6f,1,-2a1f 2c70,2c70,1,-2a1e 2c72,2c72,1,1
    2c75,2c75,1,1 2c7e,2c7f,1,-2a3f 2c80,2ce2,2,1 2ceb,2ced,2,1 2cf2,2cf2,1,1 a640,a66c,2,1
    a680,a69a,2,1 a722,a72e,2,1 a732,a76e,2,1 a779,a77b,2,1 a77d,a77d,1,-8a04 a77e,a786,2,1
    a78b,a78b,1,1 a78d,a78d,1,-a528 a790,a792,2,1 a796,a7a8,2,1 a7aa,a7aa,1,-a544
    a7ab,a7ab,1,-a54f a7ac,a7ac,1,-a54b a7ad,a7ad,1,-a541 a7ae,a7ae,1,-a544 a7b0,a7b0,1,-a512
    a7b1,a7b1,1,-a52a a7b2,a7b2,1,-a515 a7b3,a7b3,1,3a0 a7b4,a7c2,2,1 a7c4,a7c4,1,-30
    a7c5,a7c5,1,-a543 a7c6,a7c6,1,-8a38 a7c7,a7c9,2,1 a7d0,a7d0,1,1 a7d6,a7d8,2,1 a7f5,a7f5,1,1
    ab70,abbf,1,-97d0 ff21,ff3a,1,20 10400,10427,1,28 104b0,104d3,1,28 10570,1057a,1,27
    1057c,1058a,1,27 1058c,10592,1,27 10594,10595,1,27 10c80,10cb2,1,40 118a0,118bf,1,20
    16e40,16e5f,1,20 1e900,1e921,1,22
"""

# All with the property White_Space in Unicode 15.0.0; str.strip() has four more.
WHITE_SPACE = "".join(
    map(chr, [*range(9, 14), 32, 133, 160, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F])
) + "\u205f\u3000"

KEY_FORMS = (
    "plain",
    "trim",
    "ignore-case",
    "trim,ignore-case",
    "upper-case",
    "trim,upper-case",
    "hex",
    "trim,hex",
    "base64",
    "trim,base64",
)


def _folding():
    points = {}
    for run in CASE_FOLDING.split():
        first, last, step, delta = (int(number, 16) for number in run.split(","))
        points.update((point, point + delta) for point in range(first, last + 1, step))
    return points


FOLDING = _folding()


def apply_form(form, written):
    """The key that bytes stand for which are written in a form such as "trim,ignore-case"."""
    if form not in KEY_FORMS:
        raise ValueError("key form must be one of docs/FORMAT.md, but is '%s'" % form)
    words = form.split(",")
    # Bytes that are not well-formed become lone surrogates, and then themselves again.
    text = written.decode("utf-8", "surrogateescape")
    if "trim" in words:
        text = text.strip(WHITE_SPACE)
    if "ignore-case" in words:
        text = text.translate(FOLDING)
    key = text.encode("utf-8", "surrogateescape")
    if "upper-case" in words:
        return key.upper()  # of bytes: the letters a to z alone
    if "hex" in words:
        if not re.fullmatch(rb"(?:[0-9A-Fa-f]{2})*", key):
            raise ValueError("a key in hex must have two digits for each byte, and nothing else")
        return bytes.fromhex(text)
    return _base64(key) if "base64" in words else key


def _base64(text):
    standard = text.translate(bytes.maketrans(b"-_", b"+/"))
    digits = standard.rstrip(b"=")
    full = digits + b"=" * (-len(digits) % 4)
    if not re.fullmatch(rb"[A-Za-z0-9+/]*", digits) or standard not in (digits, full):
        raise ValueError("a key in base64 must be complete and of its alphabet only")
    if len(digits) % 4 != 1:
        key = base64.b64decode(full)
        if base64.b64encode(key) == full:
            return key
    raise ValueError("a key in base64 must be complete, with zeros in bits that are left over")


def integer(written):
    """The number that bytes or a text stand for, in decimal digits."""
    if isinstance(written, str):
        written = written.encode("utf-8", "surrogatepass")
    digits = apply_form("trim", written)
    if not re.fullmatch(rb"[+-]?[0-9]+", digits):
        raise ValueError("a key must be an integer in digits")
    # Leading zeros may be more than Python converts.
    number = int(re.sub(rb"^([+-]?)0+(?=[0-9])", rb"\1", digits)[:40])
    if not -1 << 63 <= number < 1 << 64:
        raise ValueError("a key must be an integer of 64 bits")
    return number if number < 1 << 63 else number - (1 << 64)


# --- hash ids ---------------------------------------------------------------------------------


_HASH_ID = re.compile("(xxh3-64|splitmix64|siphash-2-4)/([^/]+)(?:/(seed|secret)=([^/]+))?")


def _fields(encoding):
    """The encodings of several fields: ["utf8", "(i64,uuid)"] for "(utf8,(i64,uuid))"."""
    fields, depth = [""], 0
    for character in encoding[1:-1]:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            fields.append("")
        else:
            fields[-1] += character
    return fields


def _is_encoding(encoding):
    """Whether an encoding is one of docs/FORMAT.md."""
    if not encoding.startswith("(") or not encoding.endswith(")"):
        return encoding in ("utf8", "bytes", "i64", "uuid")
    fields = _fields(encoding)
    return len(fields) <= 16 and all(map(_is_encoding, fields))


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
        number = integer(key) if isinstance(key, str) else int(key)
        return number.to_bytes(8, "little", signed=True)
    if encoding == "uuid":
        return (key if isinstance(key, uuid.UUID) else uuid.UUID(key)).bytes
    if encoding.startswith("(") and isinstance(key, (tuple, list)):
        fields = _fields(encoding)
        if len(fields) != len(key):
            raise ValueError("keys of %s must have %d fields" % (encoding, len(fields)))
        parts = [key_bytes(field, part) for field, part in zip(fields, key)]
        return b"".join(struct.pack("<I", len(part)) + part for part in parts)
    raise ValueError("keys of a filter of %s must not be %r" % (encoding, key))


def _seed(text):
    if not re.fullmatch("0|-?[1-9][0-9]{0,18}", text) or not -1 << 63 <= int(text) < 1 << 63:
        raise ValueError("seed must be a number of 64 bits as one writes it, but is " + text)
    return int(text)


def hash_of(hash_id, key, secret=None):
    """The hash of a key under a hash id, or the key itself if that is raw."""
    parts = _HASH_ID.fullmatch(hash_id)
    name, encoding, kind, text = parts.groups() if parts else (hash_id, None, None, None)
    if secret is not None and name != "siphash-2-4":
        raise ValueError("a filter of %s has no secret" % hash_id)
    if hash_id == "raw":
        return int.from_bytes(key, "big") if isinstance(key, (bytes, bytearray)) else key & MASK
    if parts and _is_encoding(encoding):
        if hash_id == "splitmix64/i64":
            return splitmix64(int.from_bytes(key_bytes("i64", key), "little"))
        if name == "xxh3-64" and kind is None and encoding != "i64":
            return xxh3(key_bytes(encoding, key))
        if name == "xxh3-64" and kind == "seed":
            return xxh3(key_bytes(encoding, key), _seed(text))
        if name == "siphash-2-4" and kind == "secret":
            given = "no secret" if secret is None else fingerprint(secret)
            if given != text:
                raise ValueError("secret must have fingerprint %s, but was %s" % (text, given))
            return siphash(_derived(secret, b"key")[:16], key_bytes(encoding, key))
    raise ValueError("hash id must be one of docs/FORMAT.md, but is " + hash_id)


# --- probes -----------------------------------------------------------------------------------

PRODUCT = 0xD1342543DE82EF95
REMIX = 0x9E3779B97F4A7C15


def position(h, size):
    return (h >> 1) * size >> 63


def _probes(h):
    """All probes of a hash for bits in whole words, each with its bit, without end."""
    for rotation in (0, 16, 32, 48):
        yield _rotl(h, rotation), _rotl(h, (rotation + 16) % 64) % 64
    product = h
    while True:
        product = _rotl(product * PRODUCT & MASK, 60)
        for rotation in (0, 10, 20):
            yield _rotl(product, rotation), _rotl(product, rotation + 10) % 64


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


def blocked_positions(h, bits, probes):
    if probes == 8:
        r = h * REMIX & MASK
        block = position(h, bits // 256)
        return [256 * block + 64 * (i // 2) + (r >> (16 + 6 * i) & 63) for i in range(8)]
    first = _word(h, bits // 64 - 1)
    pattern = h >> 58
    positions = []
    for word, rotation in ((first, h >> 32), (first + 1, h >> 38)):
        bits = [(i + rotation) % 64 for i in (0, 1 + pattern % 31, 32 + pattern // 2)]
        positions += [64 * word + bit for bit in sorted(bits)]
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


def _of_levels(present, field):
    """Counts of a word's positions, from one bit for each that reached the level before."""
    reached = [bit for bit in range(64) if present >> bit & 1]
    counts = dict.fromkeys(reached, 1)
    while reached:
        more = []
        for bit in reached:
            if field & 1:
                counts[bit] += 1
                more.append(bit)
            field >>= 1
        reached = more
    if field:
        raise FormatError("only what is present must be counted")
    return counts


def _of_planes(present, planes):
    """Counts of a word's positions, from the binary digits of what they are above 1."""
    counts = {}
    for bit in range(64):
        count = sum((plane >> bit & 1) << i for i, plane in enumerate(planes))
        if present >> bit & 1:
            counts[bit] = 1 + count
        elif count:
            raise FormatError("only what is present must be counted")
    return counts


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


class _Header:
    """The fields of a header, taken one after another."""

    def __init__(self, data, at, end):
        self.data, self.at, self.end = data, at, end

    def take(self, size):
        if self.at + size > self.end:
            raise FormatError("header must end behind its content, at %d" % self.at)
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def name(self, longest):
        at = self.at
        name = self.take(self.number("B"))
        if not 1 <= len(name) <= longest or any(not 0x21 <= byte <= 0x7E for byte in name):
            raise FormatError("a name must be 1 to %d bytes from ! to ~, at %d" % (longest, at))
        return name.decode("ascii")

    def text(self):
        at = self.at
        try:
            text = self.take(self.number("H")).decode("utf-8")
        except UnicodeDecodeError:
            raise FormatError("a text must be UTF-8, at %d" % at) from None
        if any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in text):
            raise FormatError("a text must be without control characters, at %d" % at)
        return text

    def named(self, most, value):
        """Takes a count and as many pairs of a name and a value, by ascending names."""
        at = self.at
        count = self.number("B")
        if count > most:
            raise FormatError("at most %d must be there, but are %d, at %d" % (most, count, at))
        pairs = {}
        for _ in range(count):
            name = self.name(32)
            if pairs and name <= max(pairs):
                raise FormatError("names must ascend, but %s follows, at %d" % (name, self.at))
            pairs[name] = value()
        return pairs


POSITIONS = {
    "standard": standard_positions,
    "partitioned": partitioned_positions,
    "blocked": blocked_positions,
}


def check_table(variant, bits, probes, words):
    """Refuses a table that no filter of the variant has."""
    if bits % 64 or not 64 <= bits <= 137438952960 or not 1 <= probes <= 64:
        raise FormatError("bits and probes must be those of a table")
    if len(words) != bits // 64:
        raise FormatError("payload must have %d bytes for so many bits" % (bits // 8))
    if variant == "partitioned":
        slice_words = bits // 64 // probes
        if slice_words == 0 or any(words[probes * slice_words :]):
            raise FormatError("slices must have words, and what follows them must be zero")
    if variant == "blocked":
        two = probes == 6 and bits >= 256
        four = probes == 8 and bits % 256 == 0
        if not two and not four:
            raise FormatError("bits and probes must be those of blocks")


CONTROL = 3 * 4096


def _check_block(data, at, used):
    if crc32c(data[at : at + 4092]) != _u32(data, at + 4092):
        return False
    if any(data[at + i] for i in range(4092) if not any(a <= i < b for a, b in used)):
        raise FormatError("reserved bytes must be zero, after %d" % at)
    return True


def live_state(data, kind=1):
    """Whether a live file is "sealed" or "open"; its content follows behind CONTROL bytes."""
    if data[8] != 1:
        raise FormatError("version must be known, but is %d, at 8" % data[8])
    if len(data) < CONTROL or not _check_block(data, 0, [(0, 10), (16, 24)]):
        raise FormatError("checksum of the first block must match, at 4092")
    if data[9] != kind or struct.unpack_from("<q", data, 16)[0] != len(data) - CONTROL:
        raise FormatError("a live file must hold a filter of its length, at 9")
    states = {}
    for at in (4096, 8192):
        if _check_block(data, at, [(0, 9), (16, 32)]):
            number, state, since, process = struct.unpack_from("<qB7xqq", data, at)
            if number < 1 or number % 2 != at // 4096 % 2 or min(since, process) < 0:
                raise FormatError("number, time and process must be those of a state, at %d" % at)
            if state not in (1, 2):
                raise FormatError("a live file must be sealed or open, at %d" % (at + 8))
            states[number] = "sealed" if state == 1 else "open"
    if not states:
        raise FormatError("checksum of a slot must match, at 4096")
    return states[max(states)]


class Filter:
    """A filter as it stands in a file, to ask and not to change."""

    VERSIONS = (1,)

    def __init__(self, data, secret=None, live=None):
        self.live = live
        if len(data) > 8 and data[:8] == b"BLOOMLIV":
            self.live = live_state(data)
            data = data[CONTROL:]
        self._secret = secret
        self._ask = None
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
        if size > 1 << 62:
            raise FormatError("payload must have at most 2^62 bytes, at 16")
        if self.keys < 1 or not 0 < self.rate < 1 or Fraction(self.rate) * (1 << 63) < self.keys:
            raise FormatError("keys and rate must be ones that 64-bit hashes allow, at 24")
        fields = _Header(data, 40, end)
        self.variant = fields.name(64)
        self.hash_id = fields.name(255)
        self.layout = fields.named(64, lambda: fields.number("q"))
        self.attributes = fields.named(16, fields.text)
        if sum(len((name + text).encode()) for name, text in self.attributes.items()) > 1024:
            raise FormatError("attributes must have at most 1024 bytes, before %d" % fields.at)
        if -(-(fields.at + 4) // 64) * 64 != header:
            raise FormatError("header must be no longer than its content needs, at 10")
        if any(data[9:10]) or any(data[12:16]) or any(data[fields.at : end]):
            raise FormatError("reserved bytes and padding must be zero, before %d" % end)
        trailer = header + size
        if self.live != "open":
            self._compare(data, header, trailer, mebibytes)
        self._tables = self._read(data[header:trailer])

    @staticmethod
    def _compare(data, header, trailer, mebibytes):
        if crc32c(data[trailer : len(data) - 4]) != _u32(data, len(data) - 4):
            raise FormatError("checksum of the trailer must match, at %d" % (len(data) - 4))
        for i in range(mebibytes):
            start = header + (i << 20)
            if crc32c(data[start : min(start + (1 << 20), trailer)]) != _u32(data, trailer + 4 * i):
                raise FormatError("checksum of the MiB from %d on must match" % start)
        if any(data[trailer + 4 * mebibytes : len(data) - 4]):
            raise FormatError("padding must be zero, after %d" % trailer)

    @classmethod
    def open(cls, path, secret=None):
        with open(path, "rb") as file:
            return cls(file.read(), secret)

    def _read(self, payload):
        """The tables to ask: a function that gives positions, bits, probes and words of each."""
        words = struct.unpack("<%dQ" % (len(payload) // 8), payload)
        readers = {
            "standard": self._table,
            "partitioned": self._table,
            "blocked": self._table,
            "counting": self._counters,
            "counting-fast": self._fast_counters,
            "fuse": self._cells,
            "scalable": self._layers,
        }
        if self.variant not in readers:
            raise FormatError("variant must be known, but is %s, at 40" % self.variant)
        return readers[self.variant](words)

    def _layout(self, *names):
        if sorted(self.layout) != sorted(names):
            raise FormatError("layout must have %s" % ", ".join(names))
        return [self.layout[name] for name in names]

    def _table(self, words):
        bits, probes = self._layout("bits", "probes")
        check_table(self.variant, bits, probes, words)
        return [(POSITIONS[self.variant], bits, probes, words)]

    def _cells(self, words):
        names = ["segment", "segments", "width"] + ["parts"] * ("parts" in self.layout)
        segment, segments, width, parts = (self._layout(*names) + [1])[:4]
        if segment not in [1 << i for i in range(19)] or not 1 <= width <= 32:
            raise FormatError("layout must be one of a fuse filter")
        if not 4 <= segments <= 2147483632 // segment:
            raise FormatError("segments must be from 4 to 2147483632 cells")
        if len(names) == 4 and not 2 <= parts <= 1 << 20:
            raise FormatError("parts must be from 2 to 2^20")
        size = -(-segments * segment * width // 64) + 1
        if len(words) != parts * size or 8 * size > 2147483632:
            raise FormatError("payload must have the cells and a word of each part")
        tables = [
            self._part(words[i * size : (i + 1) * size], segments * segment, width)
            for i in range(parts)
        ]
        any_hashes = any(count > 0 for _, count, _ in tables)
        firsts = (segments - 3) * segment

        def ask(h):
            key = tables[0][2] if parts == 1 else 0
            mixed = (h ^ key) * 0xBF58476D1CE4E5B9 & MASK
            mixed ^= mixed >> 32
            part = position(mixed, parts)
            cells, _, own = tables[part]
            spread = (mixed ^ (0 if parts == 1 else own)) * REMIX & MASK
            first = position(mixed, parts * firsts) - part * firsts
            found = mixed
            for i in range(4):
                within = (spread >> (64 - 18 * i)) % segment if i else 0
                bit = (first + i * segment ^ within) * width
                found ^= cells[bit // 64] >> bit % 64 | cells[bit // 64 + 1] << 64 - bit % 64
            return any_hashes and found & (1 << width) - 1 == 0

        self._ask = ask
        return []

    def _part(self, words, cells, width):
        """Words, number of hashes and key of a part of a fuse filter."""
        count, seed = words[-1] & (1 << 48) - 1, words[-1] >> 48
        used = cells * width % 64
        if used and words[-2] >> used:
            raise FormatError("bits behind the last cell must be zero")
        if count > cells or seed > 1023:
            raise FormatError("there must be as many hashes as cells at most, and seeds to 1023")
        if count == 0 and (any(words[:-1]) or seed):
            raise FormatError("cells and seed of no hashes must be zero")
        return words, count, seed * REMIX & MASK

    def _counters(self, words):
        bits, count_bits, probes = self._counting_layout((32, 48, 64))
        size = bits // 64
        planes_at = size + (size * count_bits + 63) // 64
        if len(words) < planes_at:
            raise FormatError("payload must have the counts of all blocks")
        fields = int.from_bytes(
            b"".join(word.to_bytes(8, "little") for word in words[size:planes_at]), "little"
        )
        if fields >> size * count_bits:
            raise FormatError("bits behind the counts must be zero")

        def record(block):
            pair = fields >> 2 * block * count_bits & (1 << 2 * count_bits) - 1
            first, second = pair & (1 << count_bits) - 1, pair >> count_bits
            if first == (1 << count_bits) - 1:
                return second, None
            present = words[2 * block : 2 * block + 2]
            return 0, [_of_levels(present[0], first), _of_levels(present[1], second)]

        def fits(counts):
            return all(sum(c.values()) <= count_bits for c in counts)

        return self._blocks(words, bits, probes, planes_at, record, fits)

    def _fast_counters(self, words):
        bits, _, probes = self._counting_layout((80,))
        size = bits // 64
        planes_at = 2 * size + (size // 2 + 1) // 2
        if len(words) < planes_at:
            raise FormatError("payload must have the lists of all blocks")
        halves = [(word & 0xFFFFFFFF, word >> 32) for word in words[2 * size : planes_at]]
        lists = [half for both in halves for half in both]
        if any(lists[size // 2 :]):
            raise FormatError("bits behind the lists must be zero")

        def record(block):
            twice = words[size + 2 * block : size + 2 * block + 2]
            if lists[block] >> 31:
                if twice != ((1 << 64) - 1,) * 2:
                    raise FormatError("twice must be ones, of spilled block %d" % block)
                return lists[block] & (1 << 31) - 1, None
            entries = [lists[block] >> 7 * i & 127 for i in range(4)]
            number = lists[block] >> 28
            if number > 4 or any(entries[number:]) or entries[:number] != sorted(entries[:number]):
                raise FormatError("entries must be up to 4 that ascend, in block %d" % block)
            counts = []
            for i in (0, 1):
                present = words[2 * block + i]
                if twice[i] & ~present:
                    raise FormatError("twice must be present, in block %d" % block)
                counts.append(
                    {b: 1 + (twice[i] >> b & 1) for b in range(64) if present >> b & 1}
                )
            for entry in entries[:number]:
                if counts[entry // 64].get(entry % 64, 0) < 2:
                    raise FormatError("entries must be of what is twice, in block %d" % block)
                counts[entry // 64][entry % 64] += 1
            return 0, counts

        def fits(counts):
            return sum(max(0, n - 2) for c in counts for n in c.values()) <= 4

        return self._blocks(words, bits, probes, planes_at, record, fits)

    def _counting_layout(self, allowed_count_bits):
        bits, count_bits, probes = self._layout("bits", "count-bits", "probes")
        if count_bits not in allowed_count_bits or probes not in (2, 4, 6, 8):
            raise FormatError("layout must be one of a counting filter")
        ints = 1 if count_bits == 80 else count_bits // 16
        most = min(137438952960 // 128, 2147483639 // ints) * 128
        if bits % 128 or not 128 <= bits <= most:
            raise FormatError("layout must be one of a counting filter")
        return bits, count_bits, probes

    def _blocks(self, words, bits, probes, planes_at, record, fits):
        """Reads the counts of all blocks, given the record of each: its planes, or its counts."""
        self._counts = {}
        at = planes_at
        for block in range(bits // 128):
            number, counts = record(block)
            if counts is None:
                if not 1 <= number <= 62 or len(words) < at + 2 * number:
                    raise FormatError("planes must be from 1 to 62, of block %d" % block)
                planes = words[at : at + 2 * number]
                at += 2 * number
                counts = [_of_planes(words[2 * block + i], planes[i::2]) for i in (0, 1)]
                if fits(counts) or (number > 1 and not planes[-2] | planes[-1]):
                    raise FormatError("planes must be needed, but are not of block %d" % block)
            elif not fits(counts):
                raise FormatError("counts must fit, but do not in block %d" % block)
            for i in (0, 1):
                for bit, count in counts[i].items():
                    self._counts[128 * block + 64 * i + bit] = count
        if at != len(words):
            raise FormatError("payload must end with the planes of the last spilled block")
        return [(counting_positions, bits, probes, words)]

    def _layers(self, words):
        first, growth, max_bytes, max_layers, ppm = self._layout(
            "first-layer-keys", "growth", "max-bytes", "max-layers", "tightening-ppm"
        )
        if first < 1 or not 2 <= growth <= 16 or not 500000 <= ppm <= 990000:
            raise FormatError("layout must be one of a scalable filter")
        if max_bytes < 8 or not 1 <= max_layers <= 64:
            raise FormatError("limits must be ones of a scalable filter")
        if not words or not 1 <= words[0] <= max_layers or len(words) < 1 + 4 * words[0]:
            raise FormatError("layers must be from 1 to %d" % max_layers)
        tables = []
        at = 1 + 4 * words[0]
        rate = self.rate * (1000000 - ppm) / 1000000
        for i in range(words[0]):
            kind, bits, probes, keys = words[1 + 4 * i : 5 + 4 * i]
            room = first * growth**i
            least = room if i + 1 < words[0] else min(i, 1)
            if kind > 1 or not least <= keys <= room:
                raise FormatError("layer %d must be of a known kind and number of keys" % i)
            if Fraction(rate) * (1 << 63) < room:
                raise FormatError("layer %d must have a rate that 64-bit hashes allow" % i)
            table = words[at : at + bits // 64]
            variant = ("standard", "blocked")[kind]
            check_table(variant, bits, probes, table)
            set_bits = sum(bin(word).count("1") for word in table)
            if not -(-set_bits // probes) <= keys <= set_bits:
                raise FormatError("keys of layer %d must have set its %d bits" % (i, set_bits))
            tables.append((POSITIONS[variant], bits, probes, table))
            at += bits // 64
            rate *= ppm / 1000000
        if at != len(words):
            raise FormatError("payload must end with the last layer")
        if 8 * (at - 1 - 4 * words[0]) > max_bytes:
            raise FormatError("layers must have at most %d bytes" % max_bytes)
        return tables

    def _made(self):
        """What it was made for, and how."""
        return (self.variant, self.keys, self.rate, self.hash_id, self.layout, self.attributes)

    def positions(self, h):
        """The positions of a hash, table by table."""
        return [kind(h, bits, probes) for kind, bits, probes, _ in self._tables]

    def might_contain_hash(self, h):
        if self._ask:
            return self._ask(h)
        for kind, bits, probes, words in self._tables:
            if all(words[i // 64] >> (i % 64) & 1 for i in kind(h, bits, probes)):
                return True
        return False

    def __contains__(self, key):
        return self.might_contain_hash(self.hash_of(key))

    def hash_of(self, key):
        return hash_of(self.hash_id, self._formed(key), self._secret)

    def _formed(self, key):
        """What the file's key form makes of a key, if it has one."""
        form = self.attributes.get("bloomery.key-form", "plain")
        if form == "plain":
            return key
        encoding = self.hash_id.split("/")[1] if "/" in self.hash_id else self.hash_id
        if encoding not in ("utf8", "bytes"):
            raise ValueError("keys of %s must not have a form, but have %s" % (encoding, form))
        return apply_form(form, key_bytes("utf8", key))

    def count(self, key):
        """How often a key has probably been put into a counting filter: at most so often."""
        ((kind, bits, probes, _),) = self._tables
        return min(self._counts.get(i, 0) for i in kind(self.hash_of(key), bits, probes))


# --- Shards -----------------------------------------------------------------------------------


class LiveWindow:
    """A window that lives in its file, as it stands there, whatever the time is now."""

    TABLES = 24576

    def __init__(self, data, secret=None):
        self.live = live_state(data, 2)
        if not _check_block(data, CONTROL, [(0, 32)]):
            raise FormatError("checksum of the head must match, at %d" % CONTROL)
        self.keys, self.rate, self.nanos, length = struct.unpack_from("<qdqq", data, CONTROL)
        size = 8192 + -(-length // 4096) * 4096
        if length < 1 or len(data) != self.TABLES + 3 * size:
            raise FormatError("a live window must have three tables, at %d" % CONTROL)
        slots = {}
        for at in (16384, 20480):
            if _check_block(data, at, [(0, 28), (32, 56)]):
                slots[struct.unpack_from("<q", data, at)[0]] = at
        if not slots:
            raise FormatError("checksum of a slot must match, at 16384")
        slot = slots[max(slots)]
        tables = [table for table in data[slot + 25 : slot + 28] if table != 255]
        if max(tables, default=0) > 2 or len(set(tables)) < len(tables):
            raise FormatError("tables must be three, at %d" % (slot + 25))
        self._filters = []
        for table in tables:
            at = self.TABLES + table * size
            clears = [_u64(data, i) for i in (slot + 32 + 8 * table, at, at + size - 8)]
            if len(set(clears)) > 1:
                raise FormatError("a table must be the one of the slot, at %d" % at)
            if self.live == "sealed" and not _check_block(data, at, [(0, 40)]):
                raise FormatError("checksum of the counts must match, at %d" % at)
            envelope = data[at + 4096 : at + 4096 + length]
            self._filters.append(Filter(envelope, secret, self.live))

    @classmethod
    def open(cls, path, secret=None):
        with open(path, "rb") as file:
            return cls(file.read(), secret)

    def __contains__(self, key):
        return any(key in generation for generation in self._filters)


def opened(path, secret=None):
    """A filter, a live window or a folder of shards, to ask."""
    if os.path.isdir(path):
        return Shards(path, secret)
    with open(path, "rb") as file:
        start = file.read(10)
    kind = LiveWindow if start[:8] == b"BLOOMLIV" and start[9:] == b"\2" else Filter
    return kind.open(path, secret)


def shard_of(h, shards):
    """The shard that a hash belongs to."""
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return position(h ^ h >> 33, shards)


class Shards:
    """A folder of shards, to ask as one filter; all of them are in memory."""

    def __init__(self, folder, secret=None):
        with open(os.path.join(folder, "shards.manifest"), "rb") as file:
            data = file.read()
        if len(data) < 64 or data[:8] != b"BLOOMSHD" or data[8] != 1:
            raise FormatError("manifest must begin with BLOOMSHD and version 1, at 0")
        self.keys, self.rate, count = struct.unpack_from("<qdq", data, 16)
        if not 1 <= count <= 65536 or len(data) != -(-(40 + 16 * count + 4) // 64) * 64:
            raise FormatError("manifest must have 1 to 65536 shards and end behind them, at 32")
        if crc32c(data[:-4]) != _u32(data, len(data) - 4):
            raise FormatError("checksum of the manifest must match, at %d" % (len(data) - 4))
        if any(data[9:16]) or any(data[40 + 16 * count : -4]):
            raise FormatError("reserved bytes and padding of the manifest must be zero")
        if self.keys < 1 or not 0 < self.rate < 1 or Fraction(self.rate) * (1 << 63) < self.keys:
            raise FormatError("keys and rate must be ones that 64-bit hashes allow, at 16")
        self.shards = []
        for i in range(count):
            name = "shard-%05d.bloom" % i
            with open(os.path.join(folder, name), "rb") as file:
                shard = file.read()
            seen = Filter(shard, secret)
            header = struct.unpack_from("<H", shard, 10)[0]
            entry = (len(shard), _u32(shard, header - 4), _u32(shard, len(shard) - 4))
            if struct.unpack_from("<qII", data, 40 + 16 * i) != entry:
                raise FormatError("%s must be the file that the manifest names" % name)
            if seen.attributes.pop("bloomery.shard", None) != "%d/%d" % (i, count):
                raise FormatError("%s must be shard %d/%d" % (name, i, count))
            if self.shards and seen._made() != self.shards[0]._made():
                raise FormatError("%s must be like the first" % name)
            self.shards.append(seen)

    def __contains__(self, key):
        h = self.shards[0].hash_of(key)
        return self.shards[shard_of(h, len(self.shards))].might_contain_hash(h)


# --- command ----------------------------------------------------------------------------------


def _compare(path, table, secret):
    """Compares with lines of a key's bytes, in hex, its answer, and its positions if known."""
    seen = Filter.open(path, secret)
    differences = 0
    lines = 0
    with open(table, encoding="ascii") as file:
        for line in file:
            key, answer, count, positions = line.rstrip("\n").split("\t")
            h = seen.hash_of(bytes.fromhex(key))
            same = seen.might_contain_hash(h) == (answer == "1")
            if count:
                same = same and seen.count(bytes.fromhex(key)) == int(count)
            if positions:
                same = same and seen.positions(h)[0] == list(map(int, positions.split(",")))
            lines += 1
            if not same:
                differences += 1
                print("%s differs: %s" % (path, line.rstrip("\n")))
    print("%s: %d keys, %d differences" % (path, lines, differences))
    return 1 if differences or lines == 0 else 0


def _keys(form):
    """Prints what a form makes of the keys that come in."""
    for line in sys.stdin:
        written = bytes.fromhex(line)
        try:
            if form == "integer":
                key = integer(written).to_bytes(8, "little", signed=True)
            else:
                key = apply_form(form, written)
            print(key.hex())
        except ValueError:
            print("invalid")
    return 0


def _verify(path):
    """Prints what is wrong with a file, if anything is."""
    try:
        opened(path)
        return 0
    except FormatError as error:
        print("%s: %s" % (path, error))
        return 1


def main(arguments):
    secret = None
    if len(arguments) > 2 and arguments[1] == "--secret-file":
        with open(arguments[2], "rb") as file:
            secret = file.read()
        del arguments[1:3]
    if len(arguments) == 2 and arguments[0] == "info":
        seen = Filter.open(arguments[1])
        print("variant %s, hash %s" % (seen.variant, seen.hash_id))
        print("made for %d keys at a rate of %r" % (seen.keys, seen.rate))
        if seen.live:
            print("live file, %s" % seen.live)
        print("layout " + ", ".join("%s %d" % item for item in seen.layout.items()))
        for name, text in seen.attributes.items():
            print("attribute %s: %s" % (name, text))
        return 0
    if len(arguments) >= 3 and arguments[0] == "check":
        seen = opened(arguments[1], secret)
        found = [key for key in arguments[2:] if key in seen]
        for key in found:
            print(key)
        return 0 if found else 1
    if len(arguments) >= 3 and len(arguments) % 2 == 1 and arguments[0] == "compare":
        pairs = zip(arguments[1::2], arguments[2::2])
        return max([_compare(path, table, secret) for path, table in pairs])
    if len(arguments) == 2 and arguments[0] == "key" and arguments[1] in KEY_FORMS + ("integer",):
        return _keys(arguments[1])
    if len(arguments) >= 2 and arguments[0] == "verify":
        return max([_verify(path) for path in arguments[1:]])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as error:
        print("bloomery.py: %s" % error, file=sys.stderr)
        sys.exit(2)
