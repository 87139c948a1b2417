package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.Folding;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A filter that is right but for what its {@link Patch} says, until a method is overridden. */
public class PatchedFilter extends ForwardingFilter<MergeableFilter>
    implements MergeableFilter, FaultWindow.Situation {

  protected final PatchedProvider provider;
  protected final MergeableFilter inner;
  protected final ThreadMode mode;
  private final Calls calls;
  private final Set<Step> past = EnumSet.noneOf(Step.class);

  /** The last hash put, singly or in a batch. */
  protected long last;

  /** What a fault counts. */
  protected int count;

  /** What a fault keeps for the next call, of whichever thread. */
  protected volatile Object kept;

  public PatchedFilter(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
    this.provider = provider;
    this.inner = inner;
    this.mode = mode;
    this.calls = provider.calls.isFor(inner) ? provider.calls : Calls.RIGHT;
  }

  @Override
  protected final MergeableFilter inner() {
    return inner;
  }

  /** Returns whether the table is larger than a KiB, as in {@link FaultWindow#LARGE}. */
  protected final boolean large() {
    return inner.payloadSize() > 1 << 10;
  }

  public static Filter unwrap(Filter filter) {
    return filter instanceof PatchedFilter patched ? patched.inner : filter;
  }

  private Calls calls() {
    return calls(0);
  }

  private Calls calls(long hash) {
    return calls.isFor(this, hash) ? calls : Calls.RIGHT;
  }

  @Override
  public final boolean has(Step step) {
    return past.contains(step);
  }

  final void remember(Step step) {
    past.add(step);
  }

  @Override
  public final ThreadMode mode() {
    return mode;
  }

  @Override
  public final double filled() {
    return (double) inner.stats().approximateKeys().orElse(0) / spec().expectedKeys();
  }

  @Override
  public boolean put(long hash) {
    boolean absent = calls(hash).put.call(this, hash);
    last = hash;
    return absent;
  }

  @Override
  public boolean mightContain(long hash) {
    return calls(hash).mightContain.call(this, hash);
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    return calls().putAll.putAll(this, hashes, from, to);
  }

  /** Puts hashes one by one. */
  final int putEach(long[] hashes, int from, int to) {
    return MergeableFilter.super.putAll(hashes, from, to);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return calls().select.select(this, hashes, from, to, hits);
  }

  /** Asks for hashes one by one. */
  final int selectEach(long[] hashes, int from, int to, int[] hits) {
    return MergeableFilter.super.select(hashes, from, to, hits);
  }

  @Override
  public FilterSpec spec() {
    return calls().spec.apply(this, inner.spec());
  }

  @Override
  public FilterLimits limits() {
    return calls().limits.apply(this, inner.limits());
  }

  @Override
  public FilterStats stats() {
    return calls().stats.apply(this, inner.stats());
  }

  @Override
  public FilterDescription description() {
    return calls().description.apply(this, inner.description());
  }

  @Override
  public Filter copy() {
    Filter copy = calls().copy.apply(this);
    if (copy instanceof PatchedFilter patched) {
      patched.past.addAll(past);
      patched.past.add(Step.COPY);
    }
    return copy;
  }

  /** Returns a copy that has its own content. */
  final PatchedFilter rightCopy() {
    return provider.wrap((MergeableFilter) inner.copy(), mode);
  }

  @Override
  public void clear() {
    calls().clear.accept(this);
    past.add(Step.CLEAR);
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    calls().write.write(this, out);
  }

  @Override
  public void putAll(Filter other) {
    calls().merge.putAll(this, other);
    past.add(Step.MERGE);
  }

  final void rightMerge(Filter other) {
    inner.putAll(unwrap(other));
  }

  final Optional<String> rightIncompatibility(Filter other) {
    return inner.incompatibility(unwrap(other));
  }

  /** Returns an intersection that has its own content. */
  final PatchedFilter rightIntersection(Filter other) {
    return provider.wrap(inner.intersection(unwrap(other)), mode);
  }

  @Override
  public MergeableFilter intersection(Filter other) {
    return calls().intersection.apply(this, other);
  }

  @Override
  public boolean hasIntersections() {
    return inner.hasIntersections();
  }

  /** Throws if another filter is said not to fit. */
  final void checkFits(Filter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(reason);
            });
  }

  @Override
  public Optional<String> incompatibility(Filter other) {
    return calls().incompatibility.apply(this, other);
  }

  @Override
  public Folding folding() {
    return inner.folding();
  }

  @Override
  public MergeableFilter folded(int factor) {
    return provider.wrap(calls().folded.apply(this, factor), mode);
  }

  @Override
  public String toString() {
    return calls().text.apply(this, inner.toString());
  }
}
