package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.cli.session.Failure;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyHasher;

/**
 * The known properties of a filter to plan, from which its size, number of keys and rate follow.
 */
public interface SizeRequest {

  /**
   * Plans a filter of a variant.
   *
   * @throws IllegalArgumentException if it is not possible; the message contains what is
   */
  FilterPlan plan(Bloomery bloomery, String variant);

  /**
   * Returns the request for the given options; null stands for an option that is not given.
   *
   * @throws Failure if there are too few options, or so many that they may contradict each other
   */
  static SizeRequest of(Long keys, Double rate, Long bytes, Double bitsPerKey) throws Failure {
    boolean bothSizes = bytes != null && bitsPerKey != null;
    boolean bothNumbers = keys != null && rate != null;
    if ((bothSizes && (keys != null || rate != null)) || (bothNumbers && bytes != null)) {
      throw Failure.usage(
          "two of --keys, --fpp, --bytes and --bits-per-key are enough; leave out" + " the others");
    }
    if (bytes != null) {
      check("--bytes", bytes);
      if (bytes > Long.MAX_VALUE / Byte.SIZE) {
        throw Failure.usage(
            "--bytes must be at most " + Long.MAX_VALUE / Byte.SIZE + ", but was " + bytes);
      }
    }
    if (keys != null) {
      check("--keys", keys);
    }
    if (keys != null && bytes != null) {
      return lowestRate(keys, bytes);
    }
    if (keys != null && bitsPerKey != null) {
      return rate == null
          ? lowestRate(keys, bytes(keys * bitsPerKey))
          : (bloomery, variant) ->
              filters(bloomery)
                  .maxBytes(bytes(keys * bitsPerKey))
                  .expect(keys)
                  .variant(variant)
                  .fpp(rate)
                  .plan();
    }
    double wanted = rate == null ? FilterBuilder.DEFAULT_FPP : rate;
    if (keys != null) {
      return (bloomery, variant) ->
          bloomery.providers().variant(variant).plan(FilterSpec.of(keys, wanted));
    }
    if (bytes != null && bitsPerKey != null) {
      long fitting = (long) (bytes * (double) Byte.SIZE / bitsPerKey);
      if (fitting < 1) {
        throw Failure.usage(
            "--bytes must be enough for one key of " + bitsPerKey + " bits; allow more");
      }
      return lowestRate(fitting, bytes);
    }
    if (bytes != null) {
      return (bloomery, variant) ->
          filters(bloomery).within(bytes).variant(variant).maxKeys(wanted);
    }
    throw Failure.usage(
        "how many keys? Add --keys, as in --keys 10M, or --bytes to see how many fit");
  }

  private static void check(String option, long value) throws Failure {
    if (value < 1) {
      throw Failure.usage(option + " must be at least 1, but was " + value);
    }
  }

  /** Returns the whole bytes in a number of bits, at least one. */
  private static long bytes(double bits) {
    return Math.max(1, (long) (bits / Byte.SIZE));
  }

  private static SizeRequest lowestRate(long keys, long bytes) {
    return (bloomery, variant) -> filters(bloomery).within(bytes).variant(variant).lowestFpp(keys);
  }

  /** Returns filters of any type of keys: plans are the same for all. */
  private static Filters<Long> filters(Bloomery bloomery) {
    return bloomery.keys(KeyHasher.longs());
  }
}
