package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.WarmUp;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The known reasons why one of ours is slower than a peer. */
final class OrderReasons {

  private static final Set<Operation> QUERIES =
      EnumSet.of(
          Operation.HIT,
          Operation.MISS,
          Operation.MIX,
          Operation.BATCH_HIT,
          Operation.BATCH_MISS,
          Operation.BATCH_MIX);
  private static final Set<Operation> UPDATES = EnumSet.complementOf(EnumSet.copyOf(QUERIES));

  private static final String SAYS_WHETHER_NEW =
      "says whether the key was new; the peer sets bits and returns nothing";

  // decisions.md#whether-a-bit-is-missing-is-answered-without-a-comparison
  private static final String WITHOUT_A_JUMP =
      "answers without a jump, a tenth slower where all answers are the same, and twice as fast"
          + " where they are not";

  private record Reason(String prefix, Set<Operation> operations, long fewest, String text) {}

  private static final List<Reason> REASONS =
      List.of(
          new Reason(
              "scalable-six-slices", QUERIES, 0, "asks six slices where the peer has one table"),
          new Reason(
              "scalable-six-slices",
              UPDATES,
              0,
              "asks the closed slices before it puts into the open one"),
          new Reason("split-block", UPDATES, 0, SAYS_WHETHER_NEW),
          new Reason("partitioned", QUERIES, 0, "a slice's start is added to each place"),
          new Reason(
              "partitioned",
              UPDATES,
              0,
              "says whether the key was new, and adds a slice's start to each place"),
          new Reason("standard", UPDATES, 0, SAYS_WHETHER_NEW),
          new Reason(
              "split-block",
              QUERIES,
              1_000_000,
              "reads both words, an eighth of them from two cache lines; the peer leaves after one"),
          new Reason(
              "counting", QUERIES, 1_000_000, "reads both words; the peer leaves after the first"),
          new Reason(
              "counting",
              UPDATES,
              0,
              "keeps counts in half the bits, at three times the instructions"),
          new Reason("split-block", QUERIES, 0, WITHOUT_A_JUMP),
          new Reason("counting", QUERIES, 0, WITHOUT_A_JUMP));

  private OrderReasons() {}

  /**
   * Returns the reason for one operation.
   *
   * @param warmUps after which ours is slower
   */
  static String of(String ours, Operation operation, long keys, Set<WarmUp> warmUps) {
    String reason = of(ours, operation, keys);
    if (!warmUps.contains(WarmUp.FACE)) {
      return reason;
    }
    String boxed = "keys are boxed at the call, where the peer takes longs";
    return warmUps.size() == 1 ? boxed : reason + "; after `BloomFilter<K>`, " + boxed;
  }

  private static String of(String ours, Operation operation, long keys) {
    return REASONS.stream()
        .filter(
            reason ->
                ours.startsWith(reason.prefix)
                    && reason.operations.contains(operation)
                    && keys >= reason.fewest)
        .map(Reason::text)
        .findFirst()
        .orElse("not known");
  }
}
