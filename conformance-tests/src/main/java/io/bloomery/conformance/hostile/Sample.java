package io.bloomery.conformance.hostile;

import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The serialised form of a filter of some variant. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Sample(byte[] bytes, Envelope envelope) {

  private static final int MAX_HASH_ID_LENGTH = 255;

  private static Sample of(Filter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      FilterFiles.write(filter, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] bytes = out.toByteArray();
    return new Sample(bytes, Envelope.of(bytes));
  }

  /**
   * Returns filters of some hundred bytes: empty, filled, filled beyond the expected keys so that
   * growing filters have grown, and with repeated puts so that counting filters have high counts.
   */
  static List<Sample> small(VariantProvider provider) {
    List<Sample> samples = new ArrayList<>();
    String longId = "x".repeat(MAX_HASH_ID_LENGTH);
    add(samples, provider, FilterSpec.of(1, 0.5), 0, 0);
    add(samples, provider, FilterSpec.of(40, 0.1), 20, 31);
    add(samples, provider, FilterSpec.of(8, 0.1), 100, 1);
    add(samples, provider, FilterSpec.of(100, 0.01, longId), 30, 7);
    add(samples, provider, FilterSpec.of(100, 1e-3), 100, 0);
    if (samples.isEmpty()) {
      throw new IllegalArgumentException(
          "variant '" + provider.variant() + "' must offer a filter for 40 keys at a rate of 0.1");
    }
    return samples;
  }

  /** Returns filters of more than a MiB, one of them with as many high counts as possible. */
  static List<Sample> large(VariantProvider provider) {
    List<Sample> samples = new ArrayList<>();
    add(samples, provider, FilterSpec.of(1_000_000, 0.01), 100_000, 0);
    add(samples, provider, FilterSpec.of(100_000, 0.01), 150_000, 15);
    return samples;
  }

  private static void add(
      List<Sample> samples, VariantProvider provider, FilterSpec spec, int keys, int maxAgain) {
    Filter filter;
    try {
      filter = BuiltOnDemand.of(provider).create(spec, ThreadMode.CONFINED);
    } catch (IllegalArgumentException e) {
      // A variant may reject a spec that it cannot satisfy.
      return;
    }
    SplittableRandom hashes = new SplittableRandom(keys);
    try {
      for (int i = 0; i < keys; i++) {
        long hash = hashes.nextLong();
        for (long again = hash & maxAgain; again >= 0; again--) {
          filter.put(hash);
        }
      }
    } catch (FilterFullException e) {
      // The filter is full.
    }
    samples.add(of(filter));
  }
}
