package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;

/** Bytes that are not what was written. */
final class DamageRules extends Topic {

  /** How long some thousand small inputs may take together; one takes microseconds. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /**
   * How many bytes may be allocated for each byte that is there: once to hand it over, once to keep
   * it, and what a filter needs besides.
   */
  private static final long ALLOCATED_FOR_EACH_BYTE = 4;

  DamageRules(RuleContext context) {
    super(context);
  }

  private byte[] file(int size) {
    Filter filter = subject().create(size, 0.1);
    Subject.put(filter, hashes("damage", size));
    return Subject.write(filter);
  }

  private void checkRefused(byte[] bytes, String what) {
    assertThrows(
        FilterFormatException.class,
        () ->
            subject()
                .bloomery()
                .files()
                .read(new ByteArrayInputStream(bytes), OpenOptions.shared()),
        what);
  }

  void everyTruncationIsRefused() {
    for (int size : new int[] {1, 40}) {
      byte[] bytes = file(size);
      for (int length = 0; length < bytes.length; length++) {
        evidence().refused("truncated file");
        checkRefused(
            Arrays.copyOf(bytes, length), "the first " + length + " of " + bytes.length + " bytes");
      }
    }
  }

  void everyFlippedBitIsRefused() {
    for (int size : new int[] {1, 40}) {
      byte[] bytes = file(size);
      for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
        byte[] damaged = bytes.clone();
        damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        evidence().refused("flipped bit");
        checkRefused(
            damaged, "bit " + bit % Byte.SIZE + " of byte " + bit / Byte.SIZE + " flipped");
      }
    }
  }

  void hostileLayoutsAndSizesAreRefused() {
    Watchdog.run(LIMIT, "reading hostile layouts", this::tryHostileLayouts);
  }

  private void tryHostileLayouts() {
    Filter filter = subject().create(100, 0.01);
    Subject.put(filter, hashes("r38", 50));
    Map<String, Long> layout = filter.layout().toMap();
    long[] words = Payload.of(filter).words();
    long size = (long) Long.BYTES * words.length;
    for (String name : layout.keySet()) {
      for (long value : Mutant.evilNumbers()) {
        Map<String, Long> hostile = new HashMap<>(layout);
        hostile.put(name, value);
        tryLayout(filter, hostile, size, words);
        // The size that a table of so many bits would have, with next to nothing behind it.
        tryLayout(filter, hostile, value >>> 6 << 3, words);
      }
      Map<String, Long> incomplete = new HashMap<>(layout);
      incomplete.remove(name);
      tryLayout(filter, incomplete, size, words);
    }
    Map<String, Long> foreign = new HashMap<>(layout);
    foreign.put("conformance-tests", 1L);
    tryLayout(filter, foreign, size, words);
    tryLayout(filter, Map.of(), size, words);
    for (long other : new long[] {0, 8, size - 8, size + 8, 2 * size, 1L << 40, 1L << 62}) {
      tryLayout(filter, layout, other, Arrays.copyOf(words, 4 * words.length));
    }
  }

  private void tryLayout(Filter original, Map<String, Long> layout, long size, long[] words) {
    long[] present = Arrays.copyOf(words, (int) Math.min(words.length, size / Long.BYTES));
    tryMutant(original, new Mutant("hostile layout", FilterLayout.of(layout), size, present));
  }

  void alteredContentIsRefusedOrTakenAsItIs() {
    int tries = tier().choose(6_000, 100_000, 1_000_000);
    // In parts, so that a limit of time means the same in every tier.
    for (int part = 0; part < tries; part += 1_000) {
      SplittableRandom random = new SplittableRandom(seed("r65/" + part));
      Watchdog.run(LIMIT, "reading altered content", () -> tryMutants(1_000, random));
      Watchdog.run(LIMIT, "reading altered files", () -> tryFiles(500, random));
    }
    if (Capability.REMOVAL.isOfferedBy(subject().provider())) {
      byte[] counted = fullOfCounts();
      Watchdog.run(LIMIT, "reading a file full of high counts", () -> subject().read(counted));
    }
  }

  // Whatever is kept for high counts is long here, and must not be searched for each of them.
  private byte[] fullOfCounts() {
    Filter filter = subject().create(50_000, 0.1);
    for (long hash : hashes("r65/counts", 50_000)) {
      for (int times = 0; times < 20; times++) {
        filter.put(hash);
      }
    }
    return Subject.write(filter);
  }

  private void tryMutants(int tries, SplittableRandom random) {
    Filter[] filters = {filled(1, 1), filled(40, 40), filled(100, 60), filled(8, 200)};
    for (int i = 0; i < tries; i++) {
      Filter original = filters[i % filters.length];
      tryMutant(original, Mutant.of(original, random));
    }
  }

  // Put several times, so that filters that count have counts, and small ones that grow have grown.
  private Filter filled(int size, int keys) {
    Filter filter = subject().create(size, 0.1);
    for (long hash : hashes("r65/" + size, keys)) {
      for (int times = (int) (hash & 31); times >= 0; times--) {
        Subject.put(filter, hash);
      }
    }
    return filter;
  }

  private void tryMutant(Filter original, Mutant mutant) {
    boolean read = isRead(original, mutant);
    Payload given = new Payload(mutant.size(), mutant.words().clone());
    try {
      subject().provider().check(original.spec(), mutant.layout(), given);
      assertTrue(read, () -> "check must refuse what read refuses: " + mutant);
    } catch (FilterFormatException e) {
      assertFalse(read, () -> "check must not refuse what read takes: " + mutant + ": " + e);
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("check must refuse with FilterFormatException: " + mutant, e);
    }
  }

  // What is changed may be another filter, such as one with fewer probes or other bits: then it
  // must be taken as it is, and work.
  private boolean isRead(Filter original, Mutant mutant) {
    Payload given = new Payload(mutant.size(), mutant.words().clone());
    long before = Allocation.byThisThread();
    long start = System.nanoTime();
    try {
      Filter read =
          subject()
              .provider()
              .read(original.spec(), mutant.layout(), given, ThreadMode.SHARED, FilterLimits.HEAP);
      checkCost(Allocation.byThisThread() - before, System.nanoTime() - start, mutant);
      evidence().accepted(mutant.kind());
      assertEquals(mutant.layout(), read.layout(), mutant::toString);
      Payload content = Payload.of(read);
      assertEquals(mutant.size(), content.size(), mutant::toString);
      assertArrayEquals(mutant.words(), content.words(), mutant::toString);
      checkWorks(read);
      return true;
    } catch (FilterFormatException e) {
      checkCost(Allocation.byThisThread() - before, System.nanoTime() - start, mutant);
      evidence().refused(mutant.kind());
      assertTrue(e.getMessage().length() > 10, () -> "reason for refusing " + mutant);
      return false;
    } catch (AssertionError e) {
      throw e;
    } catch (Exception | Error e) {
      throw new AssertionError(
          "a content that no filter wrote must be refused with FilterFormatException: " + mutant,
          e);
    }
  }

  private void checkCost(long allocated, long nanos, Mutant mutant) {
    evidence().cost(allocated, nanos);
    long allowed = (1 << 20) + ALLOCATED_FOR_EACH_BYTE * Long.BYTES * mutant.words().length;
    assertTrue(
        allocated <= allowed,
        () -> allocated + " bytes were allocated where " + allowed + " are allowed: " + mutant);
  }

  private void checkWorks(Filter filter) {
    FilterStats stats = filter.stats();
    assertTrue(stats.fill() >= 0 && stats.fill() <= 1, () -> "fill of " + stats);
    double rate = stats.falsePositiveRate();
    assertTrue(rate >= 0 && rate <= 1, () -> "rate of " + stats);
    Hashes hashes = hashes("r65/works");
    for (long hash : hashes.next(8)) {
      if (!Subject.isTaken(filter, hash)) {
        break;
      }
      assertTrue(filter.mightContain(hash), () -> "hash " + hash + " put after reading");
      if (filter instanceof RemovableFilter removable) {
        assertTrue(removable.remove(hash), () -> "remove of " + hash + " put after reading");
        removable.put(hash);
      }
    }
    assertArrayEquals(Subject.write(filter), Subject.write(filter.copy()), "bytes of a copy");
  }

  private void tryFiles(int tries, SplittableRandom random) {
    byte[][] files = {file(1), file(40)};
    for (int i = 0; i < tries; i++) {
      byte[] damaged = damage(files[i % files.length], random);
      long before = Allocation.byThisThread();
      long start = System.nanoTime();
      try {
        Filter read =
            subject()
                .bloomery()
                .files()
                .read(new ByteArrayInputStream(damaged), OpenOptions.shared());
        evidence().accepted("file");
        byte[] again = Subject.write(read);
        // What follows a filter in a stream is left there.
        assertArrayEquals(
            Arrays.copyOf(damaged, again.length), again, "bytes of a file taken as it is");
      } catch (FilterFormatException e) {
        evidence().refused("file");
      } catch (AssertionError e) {
        throw e;
      } catch (Exception | Error e) {
        throw new AssertionError(
            "a damaged file must be refused with FilterFormatException: "
                + HexFormat.of().formatHex(damaged, 0, Math.min(512, damaged.length)),
            e);
      }
      evidence().cost(Allocation.byThisThread() - before, System.nanoTime() - start);
    }
  }

  private static byte[] damage(byte[] file, SplittableRandom random) {
    if (random.nextInt(16) == 0) {
      byte[] noise = new byte[random.nextInt(4_096)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] damaged = Arrays.copyOf(file, file.length + random.nextInt(2) * random.nextInt(64));
    for (int edits = 1 + random.nextInt(16); edits > 0; edits--) {
      int from = random.nextInt(file.length);
      int to = random.nextInt(file.length);
      int length = Math.min(1 + random.nextInt(16), file.length - Math.max(from, to));
      switch (random.nextInt(3)) {
        case 0 -> damaged[from] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        case 1 -> damaged[from] = (byte) random.nextInt();
        default -> System.arraycopy(file, from, damaged, to, length);
      }
    }
    return damaged;
  }
}
