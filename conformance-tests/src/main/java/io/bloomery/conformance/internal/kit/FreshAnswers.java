package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Whether a hash is queried anew after whatever changed the answer: by each kind of query, after an
 * answer that another query gave.
 */
public final class FreshAnswers {

  /** The maximum size of a filter in bytes that is asked in every way. */
  private static final int SMALL = 1 << 12;

  private static final int MAX_TRIES = 100;
  private static final List<Change> CHANGES = List.of(Change.values());
  private static final List<Query> QUERIES = List.of(Query.values());

  private final Subject subject;
  private final Filter filter;
  private final Hashes hashes;

  public FreshAnswers(Subject subject, Filter filter, Hashes hashes) {
    this.subject = subject;
    this.filter = filter;
    this.hashes = hashes;
  }

  /** A kind of query. */
  enum Query {
    SINGLY {
      @Override
      boolean isFound(Filter filter, long hash, long other) {
        return filter.mightContain(hash);
      }
    },
    IN_A_BATCH {
      @Override
      boolean isFound(Filter filter, long hash, long other) {
        return filter.select(new long[] {hash}, 0, 1, new int[1]) == 1;
      }
    },
    LAST_OF_A_BATCH {
      @Override
      boolean isFound(Filter filter, long hash, long other) {
        int[] hits = new int[2];
        int found = filter.select(new long[] {other, hash}, 0, 2, hits);
        return found > 0 && hits[found - 1] == 1;
      }
    };

    abstract boolean isFound(Filter filter, long hash, long other);
  }

  /** What changes the answers for a hash. */
  private enum Change {
    PUT,
    PUT_ALL,
    MERGE,
    MERGE_INTO_OTHER,
    COPY,
    READ,
    REMOVE,
    REMOVE_ALL,
    CLEAR;

    private boolean isOffered(Filter filter) {
      return switch (this) {
        case PUT, PUT_ALL, COPY, READ, CLEAR -> true;
        case MERGE, MERGE_INTO_OTHER -> filter instanceof MergeableFilter;
        case REMOVE, REMOVE_ALL -> filter instanceof RemovableFilter;
      };
    }

    private boolean isCheap() {
      return this == PUT || this == PUT_ALL || this == REMOVE || this == REMOVE_ALL;
    }
  }

  /** Checks all changes and pairs of queries in a small filter, or some in a large one. */
  public void check(long seed) {
    if (!subject.takesPuts()) {
      return; // each of them would be built anew
    }
    SplittableRandom random = new SplittableRandom(seed);
    boolean isSmall = filter.payloadSize() <= SMALL;
    Change dear = CHANGES.get(random.nextInt(CHANGES.size()));
    for (Change change : CHANGES) {
      if (change.isOffered(filter) && (isSmall || change.isCheap() || change == dear)) {
        checkPairs(change, isSmall ? QUERIES.size() : 1, random.nextInt(QUERIES.size()));
      }
    }
  }

  /** Checks each query after so many others. */
  private void checkPairs(Change change, int others, int first) {
    for (int i = 0; i < QUERIES.size(); i++) {
      for (int j = 0; j < others; j++) {
        check(change, QUERIES.get((i + j + first) % QUERIES.size()), QUERIES.get(i));
      }
    }
  }

  private void check(Change change, Query before, Query after) {
    OptionalLong absent = absent();
    if (absent.isEmpty()) {
      return;
    }
    long hash = absent.getAsLong();
    try {
      switch (change) {
        case PUT -> checkFound(filter, change, before, after, hash, () -> filter.put(hash));
        case PUT_ALL ->
            checkFound(
                filter, change, before, after, hash, () -> filter.putAll(new long[] {hash}, 0, 1));
        case MERGE, MERGE_INTO_OTHER -> checkMerged(change, before, after, hash);
        case COPY -> checkApart(filter.copy(), change, before, after, hash);
        case READ -> {
          Filter with = filter.copy();
          with.put(hash);
          Filter read = subject.read(Subject.write(with));
          checkNotFound(filter, change, before, hash);
          checkFoundNow(read, change, after, hash);
          checkNotFound(filter, change, before, hash);
          checkFoundNow(read, change, after, hash);
        }
        case REMOVE, REMOVE_ALL -> checkRemoved(change, before, after, hash);
        case CLEAR -> {
          Filter cleared = filter.copy();
          cleared.put(hash);
          checkFoundNow(cleared, change, before, hash);
          cleared.clear();
          checkNotFound(cleared, change, after, hash);
        }
      }
    } catch (FilterFullException e) {
      // Another rule checks filters that have no room.
    }
  }

  private void checkFound(
      Filter into, Change change, Query before, Query after, long hash, Runnable added) {
    checkNotFound(into, change, before, hash);
    added.run();
    checkFoundNow(into, change, after, hash);
  }

  private void checkMerged(Change change, Query before, Query after, long hash) {
    Filter with = filter.copy();
    with.clear();
    with.put(hash);
    MergeableFilter into = (MergeableFilter) (change == Change.MERGE ? filter : filter.copy());
    checkFound(into, change, before, after, hash, () -> into.putAll(with));
  }

  /** Puts into one of two filters, which must not affect the answers of the other. */
  private void checkApart(Filter copy, Change change, Query before, Query after, long hash) {
    checkNotFound(copy, change, before, hash);
    copy.put(hash);
    checkFoundNow(copy, change, after, hash);
    checkNotFound(filter, change, before, hash);
    checkFoundNow(copy, change, after, hash);
  }

  private void checkRemoved(Change change, Query before, Query after, long hash) {
    RemovableFilter removable = (RemovableFilter) filter;
    removable.put(hash);
    checkFoundNow(filter, change, before, hash);
    int removed =
        change == Change.REMOVE
            ? removable.remove(hash) ? 1 : 0
            : removable.removeAll(new long[] {hash}, 0, 1);
    assertEquals(1, removed, "removed of a hash just put");
    checkNotFound(filter, change, after, hash);
    assertEquals(0, removable.approximateCount(hash), "count of a hash just removed");
  }

  private void checkFoundNow(Filter asked, Change change, Query query, long hash) {
    assertTrue(
        query.isFound(asked, hash, hashes.next()),
        () -> "a hash, absent before, asked for " + query + " after " + change);
  }

  private void checkNotFound(Filter asked, Change change, Query query, long hash) {
    assertFalse(
        query.isFound(asked, hash, hashes.next()),
        () -> "an absent hash found, asked for " + query + " around " + change);
  }

  /** Returns an absent hash, or empty if the filter is so full that there is hardly any. */
  private OptionalLong absent() {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      long hash = hashes.next();
      if (!filter.mightContain(hash)) {
        return OptionalLong.of(hash);
      }
    }
    return OptionalLong.empty();
  }
}
