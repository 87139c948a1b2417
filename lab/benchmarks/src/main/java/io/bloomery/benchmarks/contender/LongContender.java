package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.Action;
import io.bloomery.benchmarks.paired.Contender;
import java.util.EnumSet;
import java.util.Set;

/** A contender whose keys are longs. */
abstract class LongContender implements Contender {

  abstract boolean put(long key);

  abstract boolean mightContain(long key);

  /** Removes a key; called only if {@link #actions} contains removal. */
  void remove(long key) {
    throw new UnsupportedOperationException("remove");
  }

  /** Puts keys in the fastest available way. */
  int putBatch(long[] keys, int from, int to) {
    return putEach(keys, from, to);
  }

  /** Queries keys in the fastest available way. */
  int select(long[] keys, int from, int to) {
    return queryEach(keys, from, to);
  }

  /** Prepares for queries; called before each run of them. */
  void settle() {}

  // Contenders without batches are called key by key.
  @Override
  public Set<Action> actions() {
    return EnumSet.complementOf(EnumSet.of(Action.PUT_AND_REMOVE));
  }

  @Override
  public final int run(Action action, Object keys, int from, int to) {
    return switch (action) {
      case PUT -> putEach((long[]) keys, from, to);
      case PUT_BATCH -> putBatch((long[]) keys, from, to);
      case QUERY -> {
        settle();
        yield queryEach((long[]) keys, from, to);
      }
      case SELECT -> {
        settle();
        yield select((long[]) keys, from, to);
      }
      case PUT_AND_REMOVE -> putAndRemove((long[]) keys, from, to);
    };
  }

  int putEach(long[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += put(keys[i]) ? 1 : 0;
    }
    return changed;
  }

  int queryEach(long[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i++) {
      found += mightContain(keys[i]) ? 1 : 0;
    }
    return found;
  }

  private int putAndRemove(long[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += put(keys[i]) ? 1 : 0;
      remove(keys[i]);
    }
    return changed;
  }
}
