package io.bloomery.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The filter of Redisson's RBloomFilter: the fields of its hash in a line of text, and the bytes of
 * its string, in which Redis numbers the bits of a byte from the highest.
 */
final class RedissonTable extends ForeignTable {

  private static final Pattern HEADER =
      Pattern.compile(
          "redisson size=([1-9][0-9]{0,9}) hashIterations=([1-9][0-9]{0,2})"
              + " expectedInsertions=([1-9][0-9]{0,18}) falseProbability=([0-9.E-]{1,24})\n");
  private static final int MAX_HEADER = 128;

  /** The largest filter that Redisson makes. */
  private static final long MAX_SIZE = (1L << 32) - 2;

  private final long size;
  private final double expected;
  private final String expectedText;
  private final String rateText;
  private final double rate;

  private RedissonTable(long size, int probes, String expectedText, String rateText, long[] words) {
    super(words, probes);
    this.size = size;
    this.expectedText = expectedText;
    this.expected = Double.parseDouble(expectedText);
    this.rateText = rateText;
    this.rate = Double.parseDouble(rateText);
  }

  static RedissonTable read(ForeignInput in) throws IOException {
    String text = in.text('\n', MAX_HEADER);
    Matcher header = HEADER.matcher(text);
    if (!header.matches()) {
      throw in.refusal(
          0, "must begin with a line such as " + header(729, 5, "100", "0.03").strip());
    }
    long size = Long.parseLong(header.group(1));
    in.require(size <= MAX_SIZE, 14, "size must be at most " + MAX_SIZE, size);
    int probes = Integer.parseInt(header.group(2));
    in.require(probes <= MAX_PROBES, header.start(2), "hashIterations must be at most 255", probes);
    try {
      double rate = Double.parseDouble(header.group(4));
      if (!(rate >= 0 && rate <= 1)) {
        throw in.refusal(header.start(4), "falseProbability must be from 0 to 1, but is " + rate);
      }
    } catch (NumberFormatException e) {
      throw in.refusal(
          header.start(4), "falseProbability must be a number, but is " + header.group(4));
    }
    long[] words = in.wordsOfBytes((size + 7) / 8, 14);
    flip(words);
    int used = (int) (size % 64);
    long beyond = used == 0 ? 0 : words[words.length - 1] >>> used;
    in.require(beyond == 0, in.offset() - 1, "bits after the last must be 0", beyond);
    return new RedissonTable(size, probes, header.group(3), header.group(4), words);
  }

  /** Reverses the bits of each byte. */
  private static void flip(long[] words) {
    for (int i = 0; i < words.length; i++) {
      words[i] = Long.reverseBytes(Long.reverse(words[i]));
    }
  }

  private static String header(long size, int probes, String expected, String rate) {
    return "redisson size="
        + size
        + " hashIterations="
        + probes
        + " expectedInsertions="
        + expected
        + " falseProbability="
        + rate
        + "\n";
  }

  static RedissonTable create(ForeignParameters asked) {
    long computed = (long) bitsFor(asked.keys(), asked.rate());
    long size = asked.hasBits() ? asked.bits() : computed;
    if (size < 1 || size > MAX_SIZE) {
      throw new IllegalArgumentException(
          "Redisson's filters have from 1 to "
              + MAX_SIZE
              + " bits, but this would have "
              + size
              + "; ask for another number of keys or another rate");
    }
    long probes = Math.max(1, Math.round((double) size / asked.keys() * Math.log(2)));
    return new RedissonTable(
        size,
        asked.probes(probes, MAX_PROBES),
        Long.toString(asked.keys()),
        Double.toString(asked.rate()),
        table((double) size));
  }

  @Override
  boolean visit(Item item, boolean put) {
    item.highway();
    long at = item.h1;
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      all &= bit(words, (at & Long.MAX_VALUE) % size, put);
      if (!all && !put) {
        return false;
      }
      at += i % 2 == 0 ? item.h2 : item.h1;
    }
    return all;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.bytes(header(size, probes, expectedText, rateText).getBytes(StandardCharsets.US_ASCII));
    long[] flipped = words.clone();
    flip(flipped);
    out.bytes(flipped, 0, (size + 7) / 8);
  }

  @Override
  long bits() {
    return size;
  }

  @Override
  double capacity() {
    return expected;
  }

  @Override
  double promisedRate() {
    return rate;
  }

  /** Returns twice the usual bound: the positions are two sequences, of one step, that can meet. */
  @Override
  double excess(double keys, double fill) {
    return Math.min(1, 2 * super.excess(keys, fill));
  }

  @Override
  String words() {
    return say(
        "%d hash functions, %d bits, for %s keys at %s", probes, size, expectedText, rateText);
  }

  @Override
  ForeignTable copy() {
    return new RedissonTable(size, probes, expectedText, rateText, words.clone());
  }
}
