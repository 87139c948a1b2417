package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Watchdog;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.MappedWords;
import io.bloomery.conformance.internal.kit.Mutant;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Tier;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rules on malformed input. */
public final class DamageRules extends RuleGroup {

  /** The time limit for some thousand small inputs together, each of which takes microseconds. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /**
   * The number of bytes that may be allocated per byte present: one to pass it on, one to keep it,
   * and the other needs of a filter.
   */
  private static final long ALLOCATED_FOR_EACH_BYTE = 4;

  /** The maximum size of a file that is damaged at each of its bytes. */
  private static final int SMALL_FILE = 1_000;

  /** The number of places at which it is damaged if calls are slow. */
  private static final int FEW_PLACES = 20;

  private static final Domain DAMAGED =
      Domain.everyFilter()
          .keys(1, 50_000)
          .maxPut(3_000)
          .draws(10)
          .edges(
              List.of(
                  Case.of(1, 0.1).withMode(ThreadMode.SHARED),
                  Case.of(40, 0.1).withMode(ThreadMode.SHARED)));

  private static final Domain HOSTILE =
      Domain.everyFilter()
          .keys(1, 50_000)
          .maxPut(2_000)
          .draws(8)
          .edges(List.of(Case.of(100, 0.01).withPut(50).withMode(ThreadMode.SHARED)));

  /** Larger filters, which are copied only a few times. */
  private static final Domain SIZED =
      Domain.everyFilter().keys(50_000, 1_000_000).maxPut(2_000).draws(6);

  private static final Domain ALTERED = Domain.everyFilter().keys(1, 20_000).maxPut(2_000);

  public DamageRules(RuleContext context) {
    super(context);
  }

  private byte[] file(int size) {
    Filter filter = subject().create(size, 0.1);
    Subject.put(filter, hashes("damage", size));
    return Subject.write(filter);
  }

  private void checkRefused(byte[] bytes, Case drawn, String what) {
    assertThrows(
        FilterFormatException.class,
        () ->
            subject()
                .bloomery()
                .files()
                .read(new ByteArrayInputStream(bytes), OpenOptions.of(drawn.mode())),
        what);
  }

  /**
   * Returns positions in a sequence of this size: all of them, or those close to its ends and to
   * powers of two from its start, which is where words, blocks and segments end, and as many random
   * ones.
   */
  private int[] places(int size, SplittableRandom random) {
    if (tier() == Tier.SMOKE) {
      return random.ints(FEW_PLACES, 0, Math.max(1, size)).filter(place -> place < size).toArray();
    }
    if (size <= SMALL_FILE) {
      return IntStream.range(0, size).toArray();
    }
    IntStream ends = IntStream.concat(IntStream.range(0, 80), IntStream.range(size - 20, size));
    IntStream powers =
        IntStream.range(0, Integer.SIZE - 1).flatMap(i -> IntStream.of((1 << i) - 1, 1 << i));
    IntStream others = IntStream.range(0, 20).map(i -> random.nextInt(size));
    return Stream.of(ends, powers, others)
        .flatMapToInt(some -> some)
        .filter(place -> place < size)
        .distinct()
        .toArray();
  }

  public void everyTruncationIsRefused() {
    forAll(DAMAGED, this::checkTruncations);
  }

  private void checkTruncations(Case drawn) {
    Filter filter = new FilledFilter(subject(), drawn).filter();
    byte[] bytes = Subject.write(filter);
    SplittableRandom random = new SplittableRandom(drawn.seed());
    for (int length : places(bytes.length, random)) {
      evidence().refused("truncated file");
      checkRefused(
          Arrays.copyOf(bytes, length),
          drawn,
          "the first " + length + " of " + bytes.length + " bytes");
    }
    // The envelope detects missing bytes; the provider must, too, wherever they are missing.
    long[] words = Payload.of(filter).words();
    for (int present : places(words.length, random)) {
      Mutant cut =
          new Mutant(
              "cut short",
              filter.layout(),
              (long) Long.BYTES * words.length,
              Arrays.copyOf(words, present));
      assertFalse(tryMutant(filter, cut), () -> "content must all be there, but was " + cut);
    }
  }

  public void everyFlippedBitIsRefused() {
    forAll(DAMAGED, this::checkFlips);
  }

  private void checkFlips(Case drawn) {
    byte[] bytes = Subject.write(new FilledFilter(subject(), drawn).filter());
    SplittableRandom random = new SplittableRandom(drawn.seed());
    boolean isSmall = bytes.length <= tier().some(SMALL_FILE);
    for (int place : places(bytes.length, random)) {
      int drawnBit = random.nextInt(Byte.SIZE);
      for (int bit = isSmall ? 0 : drawnBit; bit < (isSmall ? Byte.SIZE : drawnBit + 1); bit++) {
        bytes[place] ^= (byte) (1 << bit);
        evidence().refused("flipped bit");
        checkRefused(bytes, drawn, "bit " + bit + " of byte " + place + " flipped");
        bytes[place] ^= (byte) (1 << bit);
      }
    }
  }

  public void hostileLayoutsAndSizesAreRefused() {
    forAll(
        HOSTILE,
        drawn -> Watchdog.run(LIMIT, "reading hostile layouts", () -> tryHostileLayouts(drawn)));
    forAll(
        SIZED,
        drawn -> {
          Filter filter = new FilledFilter(subject(), drawn).filter();
          long[] words = Payload.of(filter).words();
          Watchdog.run(LIMIT, "reading other sizes", () -> trySizes(filter, words));
        });
  }

  private void tryHostileLayouts(Case drawn) {
    Filter filter = new FilledFilter(subject(), drawn).filter();
    long[] words = Payload.of(filter).words();
    Mutant.eachNumber(filter.layout(), words, mutant -> tryMutant(filter, mutant));
    Mutant.eachName(filter.layout(), words, mutant -> tryNames(filter, mutant));
    trySizes(filter, words);
  }

  /** Reads and maps content under a layout whose names are not those of the variant. */
  private void tryNames(Filter original, Mutant mutant) {
    boolean isRead = tryMutant(original, mutant);
    try {
      subject()
          .provider()
          .map(original.spec(), mutant.layout(), new MappedWords(mutant.words(), Subject.SEGMENT));
    } catch (FilterFormatException e) {
      assertFalse(isRead, () -> "map must not refuse what read takes: " + mutant + ": " + e);
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("map must refuse with FilterFormatException: " + mutant, e);
    }
  }

  private void trySizes(Filter filter, long[] words) {
    long size = (long) Long.BYTES * words.length;
    // Content may contain its size, which need not be checked before the content is read.
    long empty = subject().provider().create(filter.spec(), ThreadMode.CONFINED).payloadSize();
    boolean isFixed =
        empty == size
            && !Capability.GROWTH.isOfferedBy(subject().provider())
            && !Capability.REMOVAL.isOfferedBy(subject().provider());
    boolean isMergedByOr = subject().provider().unionBits(filter.layout(), size).isPresent();
    Mutant.eachSize(
        filter.layout(),
        words,
        mutant -> {
          boolean isRead = tryMutant(filter, mutant);
          if (isMergedByOr && !isRead) {
            assertThrows(
                IllegalArgumentException.class,
                () -> subject().provider().unionBits(filter.layout(), mutant.size()),
                () -> "unionBits must refuse what read refuses: " + mutant);
          }
          boolean mustBeSeen = isFixed || mutant.size() < Math.min(empty, size);
          if (mustBeSeen && !isRead && mutant.isComplete()) {
            checkNotMapped(filter, mutant);
          }
        });
  }

  /** Checks that content of a size that no filter of its layout has is not mapped. */
  private void checkNotMapped(Filter original, Mutant mutant) {
    MappedWords words = new MappedWords(mutant.words(), Subject.SEGMENT);
    assertThrows(
        FilterFormatException.class,
        () -> subject().provider().map(original.spec(), mutant.layout(), words),
        () -> "map must refuse what read refuses: " + mutant);
  }

  public void alteredContentIsRefusedOrTakenAsItIs() {
    forAll(
        ALTERED, drawn -> Watchdog.run(LIMIT, "reading altered content", () -> tryAltered(drawn)));
    int tries = tier().choose(100, 6_000, 100_000, 100_000);
    // In parts, so that a time limit has the same meaning in every tier.
    for (int part = 0; part < tries; part += 1_000) {
      SplittableRandom random = new SplittableRandom(seed("r65/" + part));
      Watchdog.run(
          LIMIT, "reading altered content", () -> tryMutants(Math.min(tries, 1_000), random));
      Watchdog.run(
          LIMIT, "reading altered files", () -> tryFiles(Math.min(tries / 2, 500), random));
    }
    if (Capability.REMOVAL.isOfferedBy(subject().provider())) {
      byte[] counted = fullOfCounts();
      Watchdog.run(LIMIT, "reading a file full of high counts", () -> subject().read(counted));
    }
  }

  private void tryAltered(Case drawn) {
    Filter original = new FilledFilter(subject(), drawn).filter();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    for (int i = 0; i < tier().choose(5, 25, 25, 25); i++) {
      tryMutant(original, Mutant.of(original, random));
    }
  }

  // The storage of high counts is long in this case, and must not be searched for each of them.
  private byte[] fullOfCounts() {
    int size = tier().choose(200, 50_000, 50_000, 50_000);
    Filter filter = subject().create(size, 0.1);
    for (long hash : hashes("r65/counts", size)) {
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

  // Put several times, so that counting filters have counts, and small growing ones have grown.
  private Filter filled(int size, int keys) {
    Filter filter = subject().create(size, 0.1);
    for (long hash : hashes("r65/" + size, keys)) {
      for (int times = (int) (hash & 31); times >= 0; times--) {
        Subject.put(filter, hash);
      }
    }
    return filter;
  }

  /** Returns whether the changed content is accepted, which must then work and pass the check. */
  private boolean tryMutant(Filter original, Mutant mutant) {
    boolean read = isRead(original, mutant);
    Payload given = new Payload(mutant.size(), mutant.words().clone());
    try {
      subject().provider().check(original.spec(), mutant.layout(), given);
      assertTrue(read, () -> "check must refuse what read refuses: " + mutant);
    } catch (FilterFormatException e) {
      assertFalse(read, () -> "check must not refuse what read takes: " + mutant + ": " + e);
    } catch (IOException | RuntimeException e) {
      if (!(e instanceof IOException && isTooLarge(mutant))) {
        throw new AssertionError("check must refuse with FilterFormatException: " + mutant, e);
      }
    }
    checkUnionBits(mutant, read);
    return read;
  }

  /** Returns whether an IOException may say that the announced content does not fit in memory. */
  private static boolean isTooLarge(Mutant mutant) {
    return mutant.size() > Runtime.getRuntime().maxMemory() / 2;
  }

  /** Checks that files with changed content are merged only if they can be read. */
  private void checkUnionBits(Mutant mutant, boolean read) {
    try {
      subject().provider().unionBits(mutant.layout(), mutant.size());
    } catch (IllegalArgumentException e) {
      assertFalse(read, () -> "unionBits must not refuse what read takes: " + mutant + ": " + e);
    } catch (RuntimeException e) {
      throw new AssertionError("unionBits must refuse with IllegalArgumentException: " + mutant, e);
    }
  }

  // Changed content may be that of another filter, for example with fewer probes or different bits:
  // then it must be accepted, and work.
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
      if (e instanceof IOException && isTooLarge(mutant)) {
        return false;
      }
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
    for (long hash : hashes.next(subject().takesPuts() ? 8 : 0)) {
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
        // Bytes after a filter are left in the stream.
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
    byte[] edited = Mutant.edited(file, random);
    return Arrays.copyOf(edited, edited.length + random.nextInt(2) * random.nextInt(64));
  }
}
