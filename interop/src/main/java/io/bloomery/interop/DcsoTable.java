package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomery.filter.FilterFormatException.Reason;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/** The filter of DCSO's {@code bloom}, with the data that its user has attached. */
final class DcsoTable extends ForeignTable {

  private static final long MODULUS = -59; // 2^64 - 59, unsigned
  private static final long GENERATOR = -1469; // 18446744073709550147
  private static final int MAX_ATTACHED = 1 << 24;

  private final long flags;
  private final long capacity;
  private final double rate;
  private final long bits;
  private long count;
  private final byte[] attached;

  private DcsoTable(
      long flags,
      long capacity,
      double rate,
      int probes,
      long bits,
      long count,
      long[] words,
      byte[] attached) {
    super(words, probes);
    this.flags = flags;
    this.capacity = capacity;
    this.rate = rate;
    this.bits = bits;
    this.count = count;
    this.attached = attached;
  }

  static DcsoTable readGzip(ForeignInput in) throws IOException {
    try {
      return read(in.decoded(new GZIPInputStream(in.stream()), 0));
    } catch (ZipException e) {
      throw in.refusal(Reason.NOT_A_FILTER, 0, "must be gzip: " + e.getMessage());
    } catch (java.io.EOFException e) {
      throw in.refusal(Reason.TRUNCATED, 0, "gzip is cut off");
    }
  }

  static DcsoTable read(ForeignInput in) throws IOException {
    long flags = in.i64(LITTLE_ENDIAN);
    in.require((flags & 0xff) == 1, 0, "version must be 1", flags & 0xff);
    long capacity = in.i64(LITTLE_ENDIAN);
    double rate = Double.longBitsToDouble(in.i64(LITTLE_ENDIAN));
    long probes = in.i64(LITTLE_ENDIAN);
    in.require(probes >= 1 && probes <= MAX_PROBES, 24, "hash functions must be 1 to 255", probes);
    long bits = in.i64(LITTLE_ENDIAN);
    in.require(bits >= 1 && bits <= MAX_BITS, 32, "bits must be 1 to " + MAX_BITS, bits);
    long count = in.i64(LITTLE_ENDIAN);
    long[] words = in.words((bits + 63) / 64, LITTLE_ENDIAN, 32);
    long beyond = bits % 64 == 0 ? 0 : words[words.length - 1] >>> bits;
    in.require(beyond == 0, in.offset() - 8, "bits behind the table must be 0", beyond);
    return new DcsoTable(
        flags, capacity, rate, (int) probes, bits, count, words, in.rest(MAX_ATTACHED));
  }

  static DcsoTable create(ForeignParameters asked) {
    double wanted = Math.floor(bitsFor(asked.keys(), asked.rate()));
    long bits = asked.hasBits() ? asked.bits() : (long) Math.max(1, wanted);
    long probes = (long) Math.max(1, Math.ceil(Math.log(2) * bits / asked.keys()));
    return new DcsoTable(
        1,
        asked.keys(),
        asked.rate(),
        asked.probes(probes, MAX_PROBES),
        bits,
        0,
        table((double) bits),
        new byte[0]);
  }

  // Unsigned: below 2 * MODULUS, so one subtraction is the remainder.
  private static long reduced(long c) {
    return Long.compareUnsigned(c, MODULUS) >= 0 ? c - MODULUS : c;
  }

  @Override
  boolean visit(Item item, boolean put) {
    long c = reduced(Hashes.fnv1(item));
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      c = reduced(c * GENERATOR);
      all &= bit(words, Long.remainderUnsigned(c, bits), put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  boolean put(Item item) {
    boolean changed = super.put(item);
    count += changed ? 1 : 0;
    return changed;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    if (format == ForeignFormat.DCSO_GZIP) {
      GZIPOutputStream packed = new GZIPOutputStream(out.stream());
      writePlain(new ForeignOutput(packed));
      packed.finish();
    } else {
      writePlain(out);
    }
  }

  private void writePlain(ForeignOutput out) throws IOException {
    out.i64(flags, LITTLE_ENDIAN);
    out.i64(capacity, LITTLE_ENDIAN);
    out.i64(Double.doubleToRawLongBits(rate), LITTLE_ENDIAN);
    out.i64(probes, LITTLE_ENDIAN);
    out.i64(bits, LITTLE_ENDIAN);
    out.i64(count, LITTLE_ENDIAN);
    out.words(words, LITTLE_ENDIAN);
    out.bytes(attached);
  }

  @Override
  long bits() {
    return bits;
  }

  @Override
  double capacity() {
    return capacity;
  }

  @Override
  double promisedRate() {
    return rate;
  }

  @Override
  String layout() {
    return say("for %d keys at %s, %d hash functions, %d bits", capacity, rate, probes, bits);
  }

  @Override
  void putAll(ForeignTable other) {
    // As its system does, which does not know which keys are in both either.
    long sum = count + ((DcsoTable) other).count;
    if (Long.compareUnsigned(sum, count) < 0) {
      throw new IllegalArgumentException(
          "the counted keys of both must be below 2^64, but are "
              + Long.toUnsignedString(count)
              + " and "
              + Long.toUnsignedString(sum - count)
              + "; make one again from its keys");
    }
    count = sum;
    super.putAll(other);
  }

  @Override
  String words() {
    return say("%s, %d counted, %d bytes attached", layout(), count, attached.length);
  }

  @Override
  ForeignTable copy() {
    return new DcsoTable(
        flags, capacity, rate, probes, bits, count, words.clone(), attached.clone());
  }
}
