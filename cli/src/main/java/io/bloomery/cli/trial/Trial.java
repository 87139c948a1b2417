package io.bloomery.cli.trial;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.StoredBloomFilter;
import io.bloomery.cli.option.Growth;
import io.bloomery.cli.session.Failure;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** Checks the guarantees of one variant with real keys. */
final class Trial {

  /** A filter that grows is made for the number of keys divided by this. */
  private static final int GROWN = 10;

  // Enough for the loops to be compiled, and for one of the rounds to run undisturbed.
  private static final int MIN_ROUNDS = 3;
  private static final long ENOUGH_NANOS = 100_000_000;

  private final Bloomery bloomery;
  private final String variant;
  private final DemoKeys keys;
  private final double rate;
  private final int expected;

  private long falseNegatives;
  private int falsePositives;
  private int queries;

  /**
   * Creates a trial of a variant.
   *
   * @throws IllegalArgumentException if it cannot keep the rate; the message contains what it can
   */
  Trial(Bloomery bloomery, String variant, DemoKeys keys, double rate) {
    this.bloomery = bloomery;
    this.variant = variant;
    this.keys = keys;
    this.rate = rate;
    this.expected = expected(keys.present().size());
  }

  private int expected(int all) {
    int few = Math.max(1, all / GROWN);
    return Growth.isIn(builder(KeyHasher.utf8Bytes(), few).plan()) ? few : all;
  }

  /** Runs the trial; {@code file} is a place to save the filter in the meantime. */
  TrialResult run(Path file) throws Failure {
    BloomFilterView<byte[]> filter = filled(KeyHasher.utf8Bytes());
    query(filter);
    StoredFilter stored = stored(filter);
    double bitsPerKey = (double) stored.payloadSize() * Byte.SIZE / keys.present().size();
    for (long seed = 1; seed < keys.filters(); seed++) {
      query(filled(KeyHasher.utf8Bytes().withSeed(seed)));
    }
    int removed =
        filter instanceof RemovableBloomFilter<byte[]> removable ? removeAndAddAgain(removable) : 0;
    boolean reopenedAsSaved = reopen(stored, file);
    return new TrialResult(
        variant,
        stored.description(),
        keys.present().size(),
        expected,
        keys.filters(),
        falseNegatives,
        rate,
        new ExactRate(falsePositives, queries),
        bitsPerKey,
        nanosPerAdd(),
        nanosPerQuery(filter),
        removed,
        reopenedAsSaved);
  }

  private FilterBuilder<byte[]> builder(KeyHasher<byte[]> hasher) {
    return builder(hasher, expected);
  }

  private FilterBuilder<byte[]> builder(KeyHasher<byte[]> hasher, int madeFor) {
    return bloomery.<byte[]>keys(hasher).expect(madeFor).variant(variant).fpp(rate).confined();
  }

  /** Returns a filter of the keys that are present. */
  private BloomFilterView<byte[]> filled(KeyHasher<byte[]> hasher) {
    if (bloomery.providers().variant(variant) instanceof StaticFilterProvider provider) {
      return bloomery.<byte[]>keys(hasher).fpp(rate).variant(provider).build(keys.present());
    }
    BloomFilter<byte[]> filter = builder(hasher).create();
    filter.putAll(keys.present());
    return filter;
  }

  private static StoredFilter stored(BloomFilterView<byte[]> filter) {
    return filter instanceof BloomFilter<byte[]> puts
        ? puts.filter()
        : ((StoredBloomFilter<byte[]>) filter).filter();
  }

  private void query(BloomFilterView<byte[]> filter) {
    queryPresent(filter, keys.present());
    falsePositives += count(filter, keys.absent());
    queries += keys.absent().size();
  }

  private void queryPresent(BloomFilterView<byte[]> filter, List<byte[]> present) {
    falseNegatives += present.size() - count(filter, present);
  }

  private static int count(BloomFilterView<byte[]> filter, List<byte[]> keys) {
    int found = 0;
    for (byte[] key : keys) {
      found += filter.mightContain(key) ? 1 : 0;
    }
    return found;
  }

  private int removeAndAddAgain(RemovableBloomFilter<byte[]> filter) {
    int half = keys.present().size() / 2;
    List<byte[]> removed = keys.present().subList(0, half);
    for (byte[] key : removed) {
      falseNegatives += filter.remove(key) ? 0 : 1;
    }
    queryPresent(filter, keys.present().subList(half, keys.present().size()));
    filter.putAll(removed);
    queryPresent(filter, keys.present());
    return half;
  }

  private boolean reopen(StoredFilter filter, Path file) throws Failure {
    try {
      FilterFiles.save(filter, file);
    } catch (IOException e) {
      throw Failure.saving(file, e);
    }
    try {
      StoredBloomFilter<byte[]> reopened =
          bloomery.<byte[]>keys(KeyHasher.utf8Bytes()).confined().openView(file);
      queryPresent(reopened, keys.present());
      ByteArrayOutputStream again = new ByteArrayOutputStream();
      reopened.writeTo(again);
      return Arrays.equals(Files.readAllBytes(file), again.toByteArray());
    } catch (IOException e) {
      throw Failure.reading(file, e);
    }
  }

  private double nanosPerAdd() {
    long best =
        fastest(
            () -> {
              long start = System.nanoTime();
              add();
              return System.nanoTime() - start;
            });
    return (double) best / keys.present().size();
  }

  private void add() {
    if (bloomery.providers().variant(variant) instanceof StaticFilterProvider) {
      filled(KeyHasher.utf8Bytes());
      return;
    }
    BloomFilter<byte[]> filter = builder(KeyHasher.utf8Bytes()).create();
    for (byte[] key : keys.present()) {
      filter.put(key);
    }
  }

  private double nanosPerQuery(BloomFilterView<byte[]> filter) {
    int expected = count(filter, keys.absent());
    long best =
        fastest(
            () -> {
              long start = System.nanoTime();
              int found = count(filter, keys.absent());
              long nanos = System.nanoTime() - start;
              if (found != expected) {
                throw new IllegalStateException("an unchanged filter must answer the same");
              }
              return nanos;
            });
    return (double) best / keys.absent().size();
  }

  /** Repeats a round, which returns its time, and returns the shortest time. */
  private static long fastest(LongSupplier round) {
    long best = Long.MAX_VALUE;
    long start = System.nanoTime();
    for (int i = 0; i < MIN_ROUNDS || System.nanoTime() - start < ENOUGH_NANOS; i++) {
      best = Math.min(best, round.getAsLong());
    }
    return best;
  }
}
