package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongHashSet;
import com.carrotsearch.hppc.cursors.LongCursor;
import io.bloomery.Filter;
import net.jqwik.api.Example;

/** What is in a filter, and what is not. */
interface MembershipRules extends RuleSet {

  @Example
  default void r01_everyHashPutIsFoundAtEverySize() {
    double[] rates = {0.5, 0.1, 0.01, 1e-4};
    int[] sizes = {1, 2, 3, 10, 63, 64, 65, 100, 1_000, 10_000};
    for (double rate : rates) {
      for (int size : sizes) {
        if (subject().planIfOffered(size, rate).isPresent()) {
          checkAllFound(subject().create(size, rate), size);
        }
      }
    }
  }

  private static void checkAllFound(Filter filter, int size) {
    Hashes hashes = new Hashes("r01/" + size);
    LongHashSet put = new LongHashSet();
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < size; i++) {
        long hash = hashes.next();
        filter.put(hash);
        put.add(hash);
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost at once");
      }
      for (LongCursor hash : put) {
        assertTrue(
            filter.mightContain(hash.value),
            () -> "hash " + hash.value + " is lost after " + put.size() + ": " + filter);
      }
    }
  }

  @Example
  default void r02_extremeHashesCanBePutAndAreFound() {
    for (int size : new int[] {1, 100, 10_000}) {
      checkExtreme(size, 0);
      checkExtreme(size, Long.MAX_VALUE);
      for (int shift = 0; shift < Long.SIZE; shift++) {
        checkExtreme(size, 1L << shift);
        checkExtreme(size, -1L << shift);
        checkExtreme(size, ~(1L << shift));
      }
    }
  }

  private void checkExtreme(int size, long hash) {
    Filter filter = subject().create(size, 0.01);
    filter.put(hash);
    assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
  }

  @Example
  default void r03_putReturnsTheOppositeOfMightContain() {
    for (int size : new int[] {10, 1_000, 20_000}) {
      // Every other hash is a false positive in the end, so that both answers are seen.
      Filter filter = subject().create(size, 0.5);
      for (long hash : Hashes.of("r03", size)) {
        boolean absent = !filter.mightContain(hash);
        assertEquals(absent, filter.put(hash), () -> "put of " + hash + " into " + filter);
        assertFalse(filter.put(hash), () -> "second put of " + hash + " into " + filter);
      }
    }
  }

  @Example
  default void r04_anEmptyFilterContainsNothing() {
    for (int size : new int[] {1, 100, 10_000}) {
      Filter filter = subject().create(size, 0.5);
      for (long hash : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertFalse(filter.mightContain(hash), () -> "hash " + hash + " in empty " + filter);
      }
      for (long hash : Hashes.of("r04", 10_000)) {
        assertFalse(filter.mightContain(hash), () -> "hash " + hash + " in empty " + filter);
      }
    }
  }

  @Example
  default void r05_hashesThatAgreeInThirtyTwoBitsAreToldApart() {
    double rate = subject().planIfOffered(1 << 19, 1e-6).isPresent() ? 1e-6 : 1e-3;
    checkHalves(rate);
    checkDigest(rate);
  }

  // Each probe shares one half of its bits with a hash that was put. Were only that half used, all
  // probes would hit; probes that fall into the same block or word still hit rarely.
  private void checkHalves(double rate) {
    int size = 1_000;
    Filter filter = subject().create(size, rate);
    Hashes hashes = new Hashes("r05/halves");
    long[] put = hashes.next(size);
    Subject.put(filter, put);
    int lowHits = 0;
    int highHits = 0;
    for (long hash : put) {
      long other = hashes.next();
      lowHits += filter.mightContain((hash & 0xffff_ffffL) | (other << 32)) ? 1 : 0;
      highHits += filter.mightContain((hash >>> 32 << 32) | (other >>> 32)) ? 1 : 0;
    }
    int limit = size / 10;
    int low = lowHits;
    int high = highHits;
    assertTrue(low < limit, () -> low + " of " + size + " share the low 32 bits with a hash put");
    assertTrue(high < limit, () -> high + " of " + size + " share the high 32 bits");
  }

  // A digest of 32 bits adds n N / 2^32 = 64 hits to the n N p of the filter itself.
  private void checkDigest(double rate) {
    int size = 1 << 19;
    Filter filter = subject().create(size, rate);
    Hashes hashes = new Hashes("r05/digest");
    Subject.put(filter, hashes.next(size));
    long hits = 0;
    for (int i = 0; i < size; i++) {
      hits += filter.mightContain(hashes.next()) ? 1 : 0;
    }
    verdict().notAbove(RateBound.of(subject().plan(size, rate), 1), hits, size, "digest");
  }
}
