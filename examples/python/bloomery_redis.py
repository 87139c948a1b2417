#!/usr/bin/env python3
"""Asks a filter that bloomery-redis keeps on a Redis server, from docs/redis.md alone.

    bloomery_redis.py check HOST:PORT NAME KEY...     prints the keys that may be in the filter
    bloomery_redis.py export HOST:PORT NAME FILE      writes the filter as a file

Of the standard library, and of bloomery.py, which lies beside it. For a single server: in a Cluster
each key is asked where its slot is.
"""

import re
import socket
import struct
import sys

import bloomery


class Unavailable(Exception):
    """Says why there is no answer, which is not "absent"."""


class Redis:
    """A connection that speaks RESP2."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self._socket = socket.create_connection((host, int(port)), timeout=30)
        self._in = self._socket.makefile("rb")

    def __call__(self, *words):
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        self._socket.sendall(
            b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)
        )
        return self._reply()

    def _reply(self):
        line = self._in.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise Unavailable("Redis refuses: " + rest.decode())
        if kind == b"+":
            return rest
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else self._in.read(int(rest) + 2)[:-2]
        return [self._reply() for _ in range(int(rest))]

    def step(self, *commands):
        """Runs commands in one step, so that what they say belongs together."""
        self("MULTI")
        for command in commands:
            self(*command)
        return self("EXEC")


class RemoteFilter:
    def __init__(self, redis, name):
        self._redis, self._name = redis, name
        fields = redis("HGETALL", "bloomery:{%s}" % name)
        record = dict(zip(fields[::2], fields[1::2]))
        if record.get(b"format") != b"1":
            raise Unavailable("there is no filter %s of format 1" % name)
        self.sequence = int(record[b"generation"])
        if self.sequence == 0:
            raise Unavailable("filter %s is not there yet: it is being loaded" % name)
        of = lambda field: record.get(b"%s:%d" % (field, self.sequence))
        self._header, self._id = of(b"header"), of(b"id")
        self._primaries = of(b"primaries").decode()
        self._chunks = int(record[b"chunks"])
        fields = bloomery._Header(self._header, 40, len(self._header) - 4)
        self._variant, self.hash_id = fields.name(64), fields.name(255)
        layout = fields.named(64, lambda: fields.number("q"))
        self._bits, self._probes = layout["bits"], layout["probes"]

    def _blocks(self):
        """How many blocks there are, how many words apart they begin, and how many each has."""
        words = self._bits // 64
        if self._variant == "standard":
            return 1, words, words
        return (words - 1, 1, 2) if self._probes == 6 else (words // 4, 4, 4)

    def _words(self, chunk):
        blocks, step, size = self._blocks()
        first = chunk * blocks // self._chunks
        last = -(-(chunk + 1) * blocks // self._chunks) - 1
        return first * step, last * step + size

    def _chunk(self, h):
        if self._chunks == 1:
            return 0
        if self._probes == 6:
            return (h % 2**32) * self._chunks // 2**32
        return (h // 2) * self._chunks // 2**63

    def _prefix(self, chunk, sealed):
        begin, end = self._words(chunk)
        prefix = b"BLOOMRED" + struct.pack(
            "<BBHII4sq16sqI",
            1, sealed, 0, chunk, self._chunks, self._header[-4:], self.sequence, self._id,
            end - begin, 0,
        )
        return prefix + struct.pack("<I", bloomery.crc32c(prefix))

    def read(self, chunk, begin, end):
        """Words of a chunk, if it is what it is taken for; raises Unavailable else."""
        first, behind = self._words(chunk)
        key = "bloomery:{%s/%d}" % (self._name, chunk)
        at = 64 + 8 * (begin - first)
        prefix, length, server, replication, words = self._redis.step(
            ("GETRANGE", key, 0, 63),
            ("STRLEN", key),
            ("INFO", "server"),
            ("INFO", "replication"),
            ("GETRANGE", key, at, at + 8 * (end - begin) - 1),
        )
        if prefix not in (self._prefix(chunk, 0), self._prefix(chunk, 1)) or length != 64 + 8 * (behind - first):
            raise Unavailable("%s is missing, or of another generation" % key)
        run = re.search(rb"run_id:(\w+)", server).group(1).decode()
        before = re.search(rb"master_replid2:(\w+)", replication).group(1).decode()
        known = run + "/" + before in self._primaries.split(" ")
        never_promoted = not before.strip("0") and run in self._primaries
        if self._primaries != "*" and (
            b"role:master" not in replication or not (known or never_promoted)
        ):
            raise Unavailable("the server was restarted or promoted since it was accepted")
        return struct.unpack("<%dQ" % (end - begin), words)

    def __contains__(self, key):
        h = bloomery.hash_of(self.hash_id, key)
        positions = bloomery.POSITIONS[self._variant](h, self._bits, self._probes)
        begin, end = min(positions) // 64, max(positions) // 64 + 1
        words = self.read(self._chunk(h), begin, end)
        return all(words[p // 64 - begin] >> (p % 64) & 1 for p in positions)

    def file(self):
        words = [0] * (self._bits // 64)
        for chunk in range(self._chunks):
            begin, end = self._words(chunk)
            for i, word in enumerate(self.read(chunk, begin, end)):
                words[begin + i] |= word
        payload = struct.pack("<%dQ" % len(words), *words)
        sums = b"".join(
            struct.pack("<I", bloomery.crc32c(payload[at : at + 2**20]))
            for at in range(0, len(payload), 2**20)
        )
        sums += bytes(-(len(self._header) + len(payload) + len(sums) + 4) % 64)
        return self._header + payload + sums + struct.pack("<I", bloomery.crc32c(sums))


def main(arguments):
    command, address, name, *rest = arguments
    remote = RemoteFilter(Redis(address), name)
    if command == "check":
        for key in rest:
            if key in remote:
                print(key)
    elif command == "export":
        with open(rest[0], "wb") as out:
            out.write(remote.file())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Unavailable as e:
        raise SystemExit("bloomery_redis.py: cannot answer: %s" % e)
