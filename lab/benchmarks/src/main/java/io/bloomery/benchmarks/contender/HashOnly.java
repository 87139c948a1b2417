package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.Action;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.util.EnumSet;
import java.util.Set;

/** Hashes a long key as Bloomery does, and accesses no table. */
final class HashOnly extends LongContender {

  private final LongKeyHasher hasher = KeyHasher.longs();

  @Override
  public void create(long keys, double rate) {}

  @Override
  public Set<Action> actions() {
    return EnumSet.of(Action.QUERY, Action.SELECT);
  }

  @Override
  boolean put(long key) {
    throw new UnsupportedOperationException("put"); // not one of its actions
  }

  @Override
  boolean mightContain(long key) {
    return hasher.hash(key) != 0; // nearly always true, so that no branch is mispredicted
  }

  @Override
  public long sizeInBits() {
    return 0;
  }
}
