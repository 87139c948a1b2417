package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomery.filter.FilterFullException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The chain of filters of valkey-bloom, oldest first, with the same four keys of SipHash in all.
 */
final class ValkeyBloomTable extends ForeignTable {

  private static final int VERSION = 1;
  private static final int FILTER_HEADER = 1 + 8 + 4 + 32;
  private static final int MAX_FILTERS = 1024;
  private static final double USUAL_TIGHTENING = 0.5;
  private static final long LARGEST_PRIME = 0xFFFFFFFFFFFFFFC5L;

  /** One filter of the chain. */
  private static final class Part {
    private final long[] words;
    private final long bytes;
    private final int hashes;
    private final long capacity;
    private long items;

    Part(long[] words, long bytes, int hashes, long capacity, long items) {
      this.words = words;
      this.bytes = bytes;
      this.hashes = hashes;
      this.capacity = capacity;
      this.items = items;
    }

    boolean visit(long a, long b, boolean put) {
      boolean all = true;
      for (int i = 0; i < hashes; i++) {
        long c = i == 0 ? a : i == 1 ? b : Long.remainderUnsigned(a + i * b, LARGEST_PRIME);
        all &= bit(words, Long.remainderUnsigned(c, 8 * bytes), put);
        if (!all && !put) {
          return false;
        }
      }
      return all;
    }

    double setBits() {
      return count(words, 0, words.length);
    }
  }

  private final int expansion;
  private final double rate;
  private final double tightening;
  private final boolean isSeedRandom;
  private final long[] keys;
  private final List<Part> parts;

  private ValkeyBloomTable(
      int expansion,
      double rate,
      double tightening,
      boolean isSeedRandom,
      long[] keys,
      List<Part> parts) {
    super(parts.get(0).words, parts.get(0).hashes);
    this.expansion = expansion;
    this.rate = rate;
    this.tightening = tightening;
    this.isSeedRandom = isSeedRandom;
    this.keys = keys;
    this.parts = parts;
  }

  static ValkeyBloomTable read(ForeignInput in) throws IOException {
    int version = in.u8();
    in.require(version == VERSION, 0, "version must be 1", version);
    int expansion = in.i32(LITTLE_ENDIAN);
    in.require(expansion >= 0, 1, "expansion must be 0 to 2^31 - 1", expansion);
    double rate = fraction(in, "rate");
    double tightening = fraction(in, "tightening ratio");
    int isRandom = in.u8();
    in.require(isRandom <= 1, 21, "whether the seed is random must be 0 or 1", isRandom);
    long count = in.i64(LITTLE_ENDIAN);
    in.require(count >= 1 && count <= MAX_FILTERS, 22, "filters must be 1 to 1024", count);
    long[] keys = new long[4];
    List<Part> parts = new ArrayList<>();
    long total = 0;
    for (int i = 0; i < count; i++) {
      long at = in.offset();
      long size = in.i64(LITTLE_ENDIAN);
      in.require(
          size > FILTER_HEADER && size <= MAX_BITS / 8,
          at,
          "bytes of a filter must be 46 to " + MAX_BITS / 8,
          size);
      version = in.u8();
      in.require(version == 1, at + 8, "version of a filter must be 1", version);
      long bytes = in.i64(LITTLE_ENDIAN);
      in.require(bytes == size - FILTER_HEADER, at + 9, "bytes must be " + (size - 45), bytes);
      total += bytes;
      in.checkSize(total, at);
      int hashes = in.i32(LITTLE_ENDIAN);
      in.require(
          hashes >= 1 && hashes <= MAX_PROBES, at + 17, "hash functions must be 1 to 255", hashes);
      for (int j = 0; j < keys.length; j++) {
        long key = in.i64(LITTLE_ENDIAN);
        in.require(i == 0 || key == keys[j], at + 21, "seeds must be alike, but filter", i);
        keys[j] = key;
      }
      long[] words = in.wordsOfBytes(bytes, at + 9);
      long behind = in.offset();
      long items = in.i64(LITTLE_ENDIAN);
      in.require(items >= 0, behind, "items must be at least 0", items);
      long capacity = in.i64(LITTLE_ENDIAN);
      in.require(capacity >= 1, behind + 8, "capacity must be at least 1", capacity);
      parts.add(new Part(words, bytes, hashes, capacity, items));
    }
    return new ValkeyBloomTable(expansion, rate, tightening, isRandom == 1, keys, parts);
  }

  private static double fraction(ForeignInput in, String what) throws IOException {
    long at = in.offset();
    double value = Double.longBitsToDouble(in.i64(LITTLE_ENDIAN));
    if (!(value > 0 && value < 1)) {
      throw in.refusal(at, what + " must be between 0 and 1, but is " + value);
    }
    return value;
  }

  static ValkeyBloomTable create(ForeignParameters asked) {
    if (asked.hasBits()) {
      throw new IllegalArgumentException(
          "valkey-bloom is made by keys and rate, as BF.RESERVE does, but bits are asked for");
    }
    long[] keys = new long[4];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = Hashes.wang64(asked.seedOr(0) + i + 1);
    }
    List<Part> parts = new ArrayList<>(List.of(part(asked.keys(), asked.rate())));
    return new ValkeyBloomTable(
        asked.expansion(), asked.rate(), USUAL_TIGHTENING, true, keys, parts);
  }

  private static Part part(long capacity, double rate) {
    double bytes = Math.ceil(bitsFor(capacity, rate) / 8);
    long[] words = table(8 * bytes);
    long hashes = Math.max(1, Math.round(8 * bytes / capacity * Math.log(2)));
    if (hashes > MAX_PROBES) {
      throw new IllegalArgumentException(
          "hash functions must be at most 255, but a rate of " + rate + " needs " + hashes);
    }
    return new Part(words, (long) bytes, (int) hashes, capacity, 0);
  }

  @Override
  boolean visit(Item item, boolean put) {
    long a = Hashes.rustSip13(item, keys[0], keys[1]);
    long b = Hashes.rustSip13(item, keys[2], keys[3]);
    for (int i = parts.size() - 1; i >= 0; i--) {
      if (parts.get(i).visit(a, b, false)) {
        return true;
      }
    }
    if (put) {
      Part last = parts.get(parts.size() - 1);
      if (last.items >= last.capacity) {
        if (expansion == 0) {
          throw new FilterFullException(
              "the filter must not grow (NONSCALING), and has its " + last.capacity + " items");
        }
        last =
            part(
                Math.multiplyExact(last.capacity, (long) expansion),
                rate * Math.pow(tightening, parts.size()));
        parts.add(last);
      }
      last.visit(a, b, true);
      last.items++;
    }
    return false;
  }

  @Override
  String layout() {
    StringBuilder text = new StringBuilder(grows() ? "growing by " + expansion : "not growing");
    text.append(say(", at %s, tightened by %s", rate, tightening));
    for (Part part : parts) {
      text.append(
          say(
              "; %d items, %d hash functions, %d bits",
              part.capacity, part.hashes, 8 * part.bytes));
    }
    return text.append("; seeds ").append(Arrays.toString(keys)).toString();
  }

  @Override
  void putAll(ForeignTable other) {
    Part first = parts.get(0);
    Part added = ((ValkeyBloomTable) other).parts.get(0);
    RedisBloomTable.requireRoom(parts.size(), (double) first.items + added.items, first.capacity);
    setAll(first.words, added.words);
    first.items += added.items;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.u8(VERSION);
    out.i32(expansion, LITTLE_ENDIAN);
    out.i64(Double.doubleToRawLongBits(rate), LITTLE_ENDIAN);
    out.i64(Double.doubleToRawLongBits(tightening), LITTLE_ENDIAN);
    out.u8(isSeedRandom ? 1 : 0);
    out.i64(parts.size(), LITTLE_ENDIAN);
    for (Part part : parts) {
      out.i64(FILTER_HEADER + part.bytes, LITTLE_ENDIAN);
      out.u8(VERSION);
      out.i64(part.bytes, LITTLE_ENDIAN);
      out.i32(part.hashes, LITTLE_ENDIAN);
      for (long key : keys) {
        out.i64(key, LITTLE_ENDIAN);
      }
      out.bytes(part.words, 0, part.bytes);
      out.i64(part.items, LITTLE_ENDIAN);
      out.i64(part.capacity, LITTLE_ENDIAN);
    }
  }

  @Override
  long bits() {
    return parts.stream().mapToLong(part -> 8 * part.bytes).sum();
  }

  @Override
  long setBits() {
    return (long) parts.stream().mapToDouble(Part::setBits).sum();
  }

  @Override
  double rate() {
    double none = 1;
    for (Part part : parts) {
      none *= 1 - Math.pow(part.setBits() / (8 * part.bytes), part.hashes);
    }
    return 1 - none;
  }

  @Override
  double excess(double keysOfAll, double fill) {
    return Math.min(
        1,
        parts.stream()
            .mapToDouble(
                part ->
                    excess(
                        8.0 * part.bytes,
                        part.hashes,
                        Math.min(keysOfAll, (double) part.capacity),
                        fill))
            .sum());
  }

  @Override
  double keys() {
    double sum = 0;
    for (Part part : parts) {
      double bits = 8.0 * part.bytes;
      sum += Math.log1p(-part.setBits() / bits) / (part.hashes * Math.log1p(-1 / bits));
    }
    return sum;
  }

  @Override
  double capacity() {
    return parts.stream().mapToDouble(part -> part.capacity).sum();
  }

  @Override
  double promisedRate() {
    return rate;
  }

  @Override
  boolean grows() {
    return expansion > 0;
  }

  @Override
  String words() {
    StringBuilder text = new StringBuilder(grows() ? "growing by " + expansion : "not growing");
    text.append(say(", at %s, tightened by %s", rate, tightening));
    for (Part part : parts) {
      text.append(
          say(
              "; %d of %d items, %d hash functions, %d bits",
              part.items, part.capacity, part.hashes, 8 * part.bytes));
    }
    return text.toString();
  }

  @Override
  ForeignTable copy() {
    List<Part> copies = new ArrayList<>();
    for (Part part : parts) {
      copies.add(new Part(part.words.clone(), part.bytes, part.hashes, part.capacity, part.items));
    }
    return new ValkeyBloomTable(expansion, rate, tightening, isSeedRandom, keys, copies);
  }
}
