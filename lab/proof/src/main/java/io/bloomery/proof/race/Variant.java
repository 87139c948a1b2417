package io.bloomery.proof.race;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** The variant whose filters race in this JVM, and what races need of it. */
public final class Variant {

  /** The system property that names the variant. */
  public static final String PROPERTY = "bloomery.proof.variant";

  private static final FilterProvider PROVIDER =
      FilterProviders.installed()
          .get(Objects.requireNonNull(System.getProperty(PROPERTY), PROPERTY));

  // TwoWordFilter.REGION_SHIFT
  private static final int REGION = 64;
  private static final int DRAWS = 10_000;

  private Variant() {}

  /** Returns an empty shared filter for a number of keys at 1 %. */
  static Filter filter(long expectedKeys) {
    return PROVIDER.create(FilterSpec.of(expectedKeys, 0.01), ThreadMode.SHARED);
  }

  static MergeableFilter mergeable(long expectedKeys) {
    return (MergeableFilter) filter(expectedKeys);
  }

  static RemovableFilter removable(long expectedKeys) {
    return (RemovableFilter) filter(expectedKeys);
  }

  /**
   * Returns hashes that in a filter for one key are certain to share counters: together they have
   * more than one block holds.
   */
  static long[] crowd() {
    return new SplittableRandom(3).longs(16).toArray();
  }

  /** Returns a filter with the content that a saved filter has. */
  static Filter saved(Filter filter) {
    try {
      return FilterFiles.installed().read(new ByteArrayInputStream(bytes(filter)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what is saved of a filter. */
  static byte[] bytes(Filter filter) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FilterFiles.write(filter, out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns hashes the last two of which are put when a filter for one key grows: it grows by the
   * last but one after all others.
   */
  static long[] untilGrowth() {
    RandomGenerator random = new SplittableRandom(1);
    Filter filter = filter(1);
    List<Long> hashes = new ArrayList<>();
    long size = filter.payloadSize();
    while (filter.payloadSize() == size) {
      long hash = random.nextLong();
      hashes.add(hash);
      filter.put(hash);
    }
    hashes.add(random.nextLong());
    return hashes.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * Returns two hashes that set bits of common words. If blocks of two words overlap, one begins
   * with the last word of a region and the other with the first of the next, so that these words
   * are under two locks; otherwise, as many words are common as can be found.
   */
  static long[] neighbours(long expectedKeys) {
    Filter filter = filter(expectedKeys);
    long bits = filter.stats().sizeInBits();
    int probes = PROVIDER.plan(filter.spec()).probes();
    long[] draws = new SplittableRandom(2).longs(DRAWS).toArray();
    OptionalLong last = inWords(draws, REGION - 1, bits, probes);
    OptionalLong first = inWords(draws, REGION, bits, probes);
    if (last.isPresent() && first.isPresent()) {
      return new long[] {last.getAsLong(), first.getAsLong()};
    }
    long[] close = {draws[0], draws[1]};
    long most = 0;
    for (long hash : draws) {
      List<Long> words = words(hash, bits, probes);
      if (words.isEmpty()) {
        break;
      }
      long common = words(close[0], bits, probes).stream().filter(words::contains).count();
      if (common > most && hash != close[0]) {
        most = common;
        close[1] = hash;
      }
    }
    return close;
  }

  /** Returns a hash that has bits in one word, in the next, and in no other. */
  private static OptionalLong inWords(long[] hashes, long word, long bits, int probes) {
    List<Long> both = List.of(word, word + 1);
    return LongStream.of(hashes).filter(hash -> words(hash, bits, probes).equals(both)).findFirst();
  }

  /** Returns the words of a hash in the order of its probes, or none if they are not known. */
  private static List<Long> words(long hash, long bits, int probes) {
    return PROVIDER.positions(hash, bits, probes).stream()
        .flatMapToLong(Arrays::stream)
        .mapToObj(position -> position / Long.SIZE)
        .distinct()
        .toList();
  }
}
