package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.Action;
import io.bloomery.benchmarks.paired.Contender;
import java.util.EnumSet;
import java.util.Set;

/** A contender whose keys are Strings. */
abstract class StringContender implements Contender {

  abstract boolean put(String key);

  abstract boolean mightContain(String key);

  /** Puts keys in the fastest available way. */
  int putBatch(String[] keys, int from, int to) {
    return putEach(keys, from, to);
  }

  /** Queries keys in the fastest available way. */
  int select(String[] keys, int from, int to) {
    return queryEach(keys, from, to);
  }

  // Contenders without batches are called key by key.
  @Override
  public final Set<Action> actions() {
    return EnumSet.complementOf(EnumSet.of(Action.PUT_AND_REMOVE));
  }

  @Override
  public final int run(Action action, Object keys, int from, int to) {
    return switch (action) {
      case PUT -> putEach((String[]) keys, from, to);
      case PUT_BATCH -> putBatch((String[]) keys, from, to);
      case QUERY -> queryEach((String[]) keys, from, to);
      case SELECT -> select((String[]) keys, from, to);
      case PUT_AND_REMOVE -> throw new UnsupportedOperationException("remove");
    };
  }

  private int putEach(String[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += put(keys[i]) ? 1 : 0;
    }
    return changed;
  }

  private int queryEach(String[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i++) {
      found += mightContain(keys[i]) ? 1 : 0;
    }
    return found;
  }
}
