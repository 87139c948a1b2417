package io.bloomery.conformance.broken;

import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** A filter that counts, right but for some calls that are replaced. */
final class PatchedCounts extends CountingReference {

  private final Calls calls;

  private PatchedCounts(Shape shape, Calls calls) {
    super(shape);
    this.calls = calls;
  }

  /** What each call does. All are right until some are replaced. */
  static final class Calls {
    private IntUnaryOperator incremented = count -> count + 1;
    private IntUnaryOperator decremented = count -> count - 1;
    private Merge merged = (filter, here, there) -> here + there;
    private Count count = PatchedCounts::rightCount;
    private Remove remove = PatchedCounts::rightRemove;
    private Batch putAll = PatchedCounts::putEach;
    private Batch removeAll = PatchedCounts::removeEach;
  }

  /** Replaces calls. */
  interface Patch extends Consumer<Calls> {}

  /** Adds two counts, of filters that are merged. */
  interface Merge {
    int merged(PatchedCounts filter, int here, int there);
  }

  /** Counts a hash. */
  interface Count {
    long count(PatchedCounts filter, long hash);
  }

  /** Removes a hash. */
  interface Remove {
    boolean remove(PatchedCounts filter, long hash);
  }

  /** Puts or removes a batch. */
  interface Batch {
    int call(PatchedCounts filter, long[] hashes, int from, int to);
  }

  /** Makes a provider with some calls replaced. */
  static CountingReference.Provider provider(Patch... patches) {
    Calls calls = new Calls();
    for (Patch patch : patches) {
      patch.accept(calls);
    }
    return new CountingReference.Provider(shape -> new PatchedCounts(shape, calls));
  }

  static Patch increment(IntUnaryOperator otherwise) {
    return calls -> calls.incremented = otherwise;
  }

  static Patch decrement(IntUnaryOperator otherwise) {
    return calls -> calls.decremented = otherwise;
  }

  static Patch sum(IntBinaryOperator otherwise) {
    return merge((filter, here, there) -> otherwise.applyAsInt(here, there));
  }

  static Patch merge(Merge otherwise) {
    return calls -> calls.merged = otherwise;
  }

  static Patch count(Count otherwise) {
    return calls -> calls.count = otherwise;
  }

  static Patch remove(Remove otherwise) {
    return calls -> calls.remove = otherwise;
  }

  static Patch putAll(Batch otherwise) {
    return calls -> calls.putAll = otherwise;
  }

  static Patch removeAll(Batch otherwise) {
    return calls -> calls.removeAll = otherwise;
  }

  @Override
  int incremented(int count) {
    return calls.incremented.applyAsInt(count);
  }

  @Override
  int decremented(int count) {
    return calls.decremented.applyAsInt(count);
  }

  @Override
  int merged(int here, int there) {
    return calls.merged.merged(this, here, there);
  }

  @Override
  public synchronized long approximateCount(long hash) {
    return calls.count.count(this, hash);
  }

  long rightCount(long hash) {
    return super.approximateCount(hash);
  }

  @Override
  public boolean remove(long hash) {
    return calls.remove.remove(this, hash);
  }

  boolean rightRemove(long hash) {
    return super.remove(hash);
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    return calls.putAll.call(this, hashes, from, to);
  }

  int putEach(long[] hashes, int from, int to) {
    return super.putAll(hashes, from, to);
  }

  @Override
  public int removeAll(long[] hashes, int from, int to) {
    return calls.removeAll.call(this, hashes, from, to);
  }

  int removeEach(long[] hashes, int from, int to) {
    return super.removeAll(hashes, from, to);
  }
}
