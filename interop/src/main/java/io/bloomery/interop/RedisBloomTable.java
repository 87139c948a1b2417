package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** RedisBloom's chain of filters, oldest first: the header and data of SCANDUMP, concatenated. */
final class RedisBloomTable extends ForeignTable {

  private static final double LN2 = 0.693147180559945;
  private static final double LN2_SQUARED = 0.480453013918201;
  private static final int FORCE_64 = 4;
  private static final int NO_SCALING = 8;
  private static final int HEADER = 20;
  private static final int LINK = 53;

  /** One filter of the chain. */
  private static final class Link {
    long[] words = {};
    long size;
    double error;
    double bitsPerEntry;
    int hashes;
    long entries;
    int powerOfTwo;

    long modulus() {
      return powerOfTwo == 0 ? 64L * words.length - unused : 1L << powerOfTwo;
    }

    // The number of unused bits of the last word: tables are bytes, and those of the peer need not
    // fill it.
    int unused;

    boolean visit(long a, long b, boolean put) {
      long modulus = modulus();
      boolean all = true;
      long c = a;
      for (int i = 0; i < hashes; i++) {
        all &= bit(words, Long.remainderUnsigned(c, modulus), put);
        if (!all && !put) {
          return false;
        }
        c += b;
      }
      return all;
    }

    Link copy() {
      Link copy = new Link();
      copy.words = words.clone();
      copy.size = size;
      copy.error = error;
      copy.bitsPerEntry = bitsPerEntry;
      copy.hashes = hashes;
      copy.entries = entries;
      copy.powerOfTwo = powerOfTwo;
      copy.unused = unused;
      return copy;
    }
  }

  private final int options;
  private final int growth;
  private final List<Link> links;

  private RedisBloomTable(int options, int growth, List<Link> links) {
    super(links.get(0).words, links.get(0).hashes);
    this.options = options;
    this.growth = growth;
    this.links = links;
  }

  static RedisBloomTable read(ForeignInput in) throws IOException {
    long size = in.i64(LITTLE_ENDIAN);
    int count = in.i32(LITTLE_ENDIAN);
    in.require(count >= 1 && count <= 1024, 8, "filters of the chain must be 1 to 1024", count);
    int options = in.i32(LITTLE_ENDIAN);
    in.require(
        (options & ~15) == 0 && (options & FORCE_64) != 0,
        12,
        "options must be below 16 and have 4, for hashes of 64 bits",
        options);
    int growth = in.i32(LITTLE_ENDIAN);
    List<Link> links = new ArrayList<>();
    long[] lengths = new long[count];
    long sum = 0;
    long total = 0;
    for (int i = 0; i < count; i++) {
      long at = HEADER + (long) LINK * i;
      lengths[i] = in.i64(LITTLE_ENDIAN);
      in.require(
          lengths[i] >= 1 && lengths[i] <= MAX_BITS / 8,
          at,
          "bytes must be 1 to " + MAX_BITS / 8,
          lengths[i]);
      total += lengths[i];
      in.checkSize(total, at);
      long bits = in.i64(LITTLE_ENDIAN);
      in.require(bits == 8 * lengths[i], at + 8, "bits must be 8 times the bytes", bits);
      Link link = new Link();
      link.size = in.i64(LITTLE_ENDIAN);
      in.require(link.size >= 0, at + 16, "items must be at least 0", link.size);
      sum += link.size;
      link.error = Double.longBitsToDouble(in.i64(LITTLE_ENDIAN));
      if (!(link.error > 0 && link.error < 1)) {
        throw in.refusal(at + 24, "error must be between 0 and 1, but is " + link.error);
      }
      link.bitsPerEntry = Double.longBitsToDouble(in.i64(LITTLE_ENDIAN));
      link.hashes = in.i32(LITTLE_ENDIAN);
      in.require(
          link.hashes >= 1 && link.hashes <= MAX_PROBES,
          at + 40,
          "hash functions must be 1 to 255",
          link.hashes);
      long hashes = (long) Math.ceil(LN2 * link.bitsPerEntry);
      in.require(link.hashes == hashes, at + 40, "hash functions must be " + hashes, link.hashes);
      link.entries = in.i64(LITTLE_ENDIAN);
      link.powerOfTwo = in.u8();
      in.require(
          link.powerOfTwo == 0 || (link.powerOfTwo < 63 && 1L << link.powerOfTwo <= bits),
          at + 52,
          "two to the power of n2 must be at most the bits",
          link.powerOfTwo);
      links.add(link);
    }
    in.require(size == sum, 0, "items must be the sum " + sum, size);
    for (int i = 0; i < count; i++) {
      Link link = links.get(i);
      link.words = in.wordsOfBytes(lengths[i], HEADER + (long) LINK * i);
      link.unused = (int) (64L * link.words.length - 8 * lengths[i]);
    }
    return new RedisBloomTable(options, growth, links);
  }

  static RedisBloomTable create(ForeignParameters asked) {
    if (asked.hasBits()) {
      throw new IllegalArgumentException(
          "redisbloom is made by keys and rate, as BF.RESERVE does, but bits are asked for");
    }
    boolean scales = asked.expansion() > 0;
    double rate = Math.min(0.25, scales ? asked.rate() / 2 : asked.rate());
    List<Link> links = new ArrayList<>(List.of(link(asked.keys(), rate)));
    return new RedisBloomTable(
        scales ? 1 | FORCE_64 : 1 | FORCE_64 | NO_SCALING, scales ? asked.expansion() : 2, links);
  }

  private static Link link(long entries, double error) {
    Link link = new Link();
    link.error = error;
    link.entries = entries;
    link.bitsPerEntry = Math.abs(Math.log(error)) / LN2_SQUARED;
    link.hashes = (int) Math.ceil(LN2 * link.bitsPerEntry);
    if (link.hashes > MAX_PROBES) {
      throw new IllegalArgumentException(
          "hash functions must be at most "
              + MAX_PROBES
              + ", but a rate of "
              + error
              + " needs more");
    }
    double bits = Math.max(1, Math.floor(entries * link.bitsPerEntry));
    link.words = table(bits);
    return link;
  }

  @Override
  boolean visit(Item item, boolean put) {
    long a = Hashes.murmur64a(item, 0xc6a4a7935bd1e995L);
    long b = Hashes.murmur64a(item, a);
    for (int i = links.size() - 1; i >= 0; i--) {
      if (links.get(i).visit(a, b, false)) {
        return true;
      }
    }
    if (put) {
      Link last = links.get(links.size() - 1);
      if (last.size >= last.entries) {
        if ((options & NO_SCALING) != 0) {
          throw new io.bloomery.filter.FilterFullException(
              "the filter must not grow (NONSCALING), and has its "
                  + last.entries
                  + " items already");
        }
        last = link(Math.multiplyExact(last.entries, Math.max(1L, growth)), last.error / 2);
        links.add(last);
      }
      last.visit(a, b, true);
      last.size++;
    }
    return false;
  }

  @Override
  String layout() {
    StringBuilder text = new StringBuilder(grows() ? "growing by " + growth : "not growing");
    for (Link link : links) {
      text.append(
          say(
              "; %d items at %s, %d hash functions, %d bits",
              link.entries, link.error, link.hashes, link.modulus()));
    }
    return text.toString();
  }

  @Override
  void putAll(ForeignTable other) {
    Link first = links.get(0);
    Link added = ((RedisBloomTable) other).links.get(0);
    requireRoom(links.size(), (double) first.size + added.size, first.entries);
    setAll(first.words, added.words);
    first.size += added.size;
  }

  /** Checks that the rate of a chain of filters is kept by a union of its first alone. */
  static void requireRoom(int filters, double items, long capacity) {
    if (filters > 1 || items > capacity) {
      throw new IllegalArgumentException(
          "filters that are lists of tables must have one each, with room for the items of both, to"
              + " be merged, since a longer list does not keep its rate, but have "
              + filters
              + ", the first for "
              + capacity
              + " items, of which they have "
              + (long) items
              + "; add the keys of one to the other");
    }
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.i64(links.stream().mapToLong(link -> link.size).sum(), LITTLE_ENDIAN);
    out.i32(links.size(), LITTLE_ENDIAN);
    out.i32(options, LITTLE_ENDIAN);
    out.i32(growth, LITTLE_ENDIAN);
    for (Link link : links) {
      long bits = 64L * link.words.length - link.unused;
      out.i64(bits / 8, LITTLE_ENDIAN);
      out.i64(bits, LITTLE_ENDIAN);
      out.i64(link.size, LITTLE_ENDIAN);
      out.i64(Double.doubleToRawLongBits(link.error), LITTLE_ENDIAN);
      out.i64(Double.doubleToRawLongBits(link.bitsPerEntry), LITTLE_ENDIAN);
      out.i32(link.hashes, LITTLE_ENDIAN);
      out.i64(link.entries, LITTLE_ENDIAN);
      out.u8(link.powerOfTwo);
    }
    for (Link link : links) {
      out.bytes(link.words, 0, 8L * link.words.length - link.unused / 8);
    }
  }

  /** Returns the size of the header in bytes, the first chunk for LOADCHUNK. */
  int headerBytes() {
    return HEADER + LINK * links.size();
  }

  /** Returns the size of each table in bytes, the oldest first. */
  long[] tableBytes() {
    return links.stream().mapToLong(link -> 8L * link.words.length - link.unused / 8).toArray();
  }

  @Override
  long bits() {
    return links.stream().mapToLong(Link::modulus).sum();
  }

  @Override
  long setBits() {
    return links.stream().mapToLong(link -> count(link.words, 0, link.words.length)).sum();
  }

  @Override
  double rate() {
    double none = 1;
    for (Link link : links) {
      double fill = (double) count(link.words, 0, link.words.length) / link.modulus();
      none *= 1 - Math.pow(fill, link.hashes);
    }
    return 1 - none;
  }

  @Override
  double excess(double keys, double fill) {
    double excess = 0;
    for (Link link : links) {
      excess +=
          excess((double) link.modulus(), link.hashes, Math.min(keys, (double) link.entries), fill);
    }
    return Math.min(1, excess);
  }

  @Override
  double keys() {
    double keys = 0;
    for (Link link : links) {
      double bits = link.modulus();
      double set = count(link.words, 0, link.words.length);
      keys += Math.log1p(-set / bits) / (link.hashes * Math.log1p(-1 / bits));
    }
    return keys;
  }

  @Override
  double capacity() {
    return links.stream().mapToDouble(link -> link.entries).sum();
  }

  @Override
  double promisedRate() {
    double error = links.get(0).error;
    return grows() ? 2 * error : error;
  }

  @Override
  boolean grows() {
    return (options & NO_SCALING) == 0;
  }

  @Override
  String words() {
    StringBuilder text = new StringBuilder(grows() ? "growing by " + growth : "not growing");
    for (Link link : links) {
      text.append(
          say(
              "; %d of %d items at %s, %d hash functions, %d bits",
              link.size, link.entries, link.error, link.hashes, link.modulus()));
    }
    return text.toString();
  }

  @Override
  ForeignTable copy() {
    return new RedisBloomTable(
        options, growth, new ArrayList<>(links.stream().map(Link::copy).toList()));
  }
}
