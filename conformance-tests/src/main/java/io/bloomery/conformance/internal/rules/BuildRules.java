package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** The rules on filters that are built once from all their hashes. */
public final class BuildRules extends RuleGroup {

  private static final Domain BUILT =
      Domain.everyFilter()
          .keys(1, 20_000)
          .edges(new long[] {1, 2, 100}, 0.01)
          .edges(List.of(Case.of(10_000, 0.01)));

  /** How often a hash is in a stream at most, so that there are more than expected keys. */
  private static final int MAX_TIMES = 5;

  public BuildRules(RuleContext context) {
    super(context);
  }

  /** Thrown by a stream. Its class cannot be created elsewhere, so that it is never a copy. */
  private static final class StreamError extends RuntimeException {
    private static final long serialVersionUID = 1;

    StreamError() {
      super("a stream that fails");
    }
  }

  public void aBuildTakesEachStreamOfItsHashes() {
    forAll(BUILT, drawn -> new Build(drawn).check());
  }

  /** The builds of one case, each of which must give the same filter or be refused. */
  private final class Build {
    private final StaticFilterProvider provider = subject().builder().orElseThrow();
    private final SplittableRandom random;
    private final FilterSpec spec;
    private final long[] hashes;
    private final Hashes others;
    private final StoredFilter expected;

    Build(Case drawn) {
      FilledFilter filled = new FilledFilter(subject(), drawn);
      this.random = new SplittableRandom(drawn.seed());
      this.spec = drawn.spec();
      this.hashes = Arrays.stream(filled.hashes()).distinct().toArray();
      this.others = filled.others();
      this.expected = build(LongStream.of(hashes));
    }

    private StoredFilter build(LongStream stream) {
      return provider.build(spec, stream, FilterLimits.HEAP);
    }

    void check() {
      checkEqual(LongStream.of(repeated(hashes)), "in another order and repeated");
      checkEqual(LongStream.of(repeated(hashes)).parallel(), "of a parallel stream");
      checkEqual(LongStream.of(hashes).parallel().unordered(), "of an unordered stream");
      checkEqual(Arrays.stream(hashes).filter(hash -> true), "of a stream of unknown length");
      checkConsumed(LongStream.of(hashes));
      checkConsumed(LongStream.of(hashes).parallel());
      checkInterrupted();
      assertThrows(NullPointerException.class, () -> build(null), "a build of null");
      int failing = random.nextInt(hashes.length + 1);
      checkFailing(withError(failing));
      checkFailing(withError(failing).parallel());
      long[] tooMany = tooMany();
      checkTooMany(LongStream.of(tooMany), tooMany.length);
      checkTooMany(LongStream.of(repeated(tooMany)).parallel(), tooMany.length);
      checkEqual(LongStream.of(hashes), "after builds that failed");
      assertEquals(
          expected.payloadSize(), build(LongStream.empty()).payloadSize(), "size of an empty one");
    }

    private void checkEqual(LongStream stream, String how) {
      StoredFilter built = build(stream);
      assertEquals(spec, built.spec(), () -> "spec of a filter built " + how);
      assertEquals(expected.layout(), built.layout(), () -> "layout of a filter built " + how);
      assertArrayEquals(
          Payload.of(expected).words(),
          Payload.of(built).words(),
          () -> "content of a filter built " + how);
    }

    /** Returns hashes in another order, each up to {@link #MAX_TIMES} times. */
    private long[] repeated(long... some) {
      long[] more =
          Arrays.stream(some)
              .flatMap(hash -> LongStream.range(0, 1 + random.nextInt(MAX_TIMES)).map(i -> hash))
              .toArray();
      for (int i = more.length - 1; i > 0; i--) {
        int with = random.nextInt(i + 1);
        long moved = more[i];
        more[i] = more[with];
        more[with] = moved;
      }
      return more;
    }

    private void checkConsumed(LongStream stream) {
      AtomicLong seen = new AtomicLong();
      LongUnaryOperator counted =
          hash -> {
            seen.incrementAndGet();
            return hash;
          };
      StoredFilter built = build(stream.map(counted));
      assertEquals(hashes.length, seen.get(), "how many hashes are consumed when build returns");
      for (long hash : hashes) {
        assertTrue(built.mightContain(hash), () -> hash + " in a filter just built");
      }
      assertEquals(hashes.length, seen.get(), "how many hashes are consumed after queries");
    }

    private void checkInterrupted() {
      Thread caller = Thread.currentThread();
      int at = random.nextInt(hashes.length + 1);
      LongStream interrupting =
          LongStream.concat(
              LongStream.of(hashes).limit(at),
              LongStream.of(hashes).skip(at).peek(hash -> caller.interrupt()));
      if (at == hashes.length) {
        caller.interrupt();
      }
      try {
        checkEqual(interrupting, "while its thread was interrupted");
        assertTrue(caller.isInterrupted(), "interrupt status of the thread after a build");
      } finally {
        // No one else interrupts the threads that run rules.
        Thread.interrupted();
      }
    }

    /** Returns a stream that fails behind some of the hashes. */
    private LongStream withError(int behind) {
      return LongStream.concat(
          Arrays.stream(hashes, 0, behind),
          LongStream.of(0)
              .map(
                  hash -> {
                    throw new StreamError();
                  }));
    }

    private void checkFailing(LongStream failing) {
      assertThrows(StreamError.class, () -> build(failing), "a build of a stream that fails");
    }

    /** Returns up to twice as many hashes as are expected, often one too many. */
    private long[] tooMany() {
      int keys = Math.toIntExact(spec.expectedKeys());
      return others.next(keys + (random.nextBoolean() ? 1 : 1 + random.nextInt(keys)));
    }

    private void checkTooMany(LongStream stream, int distinct) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> build(stream),
                  () -> "a build of " + distinct + " distinct hashes for " + spec)
              .getMessage();
      assertTrue(
          message != null && message.contains(Long.toString(spec.expectedKeys())),
          () -> "the refusal must name the expected keys: " + message);
    }
  }
}
