package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Faults in batches and merges, in filters as objects, and in sequences of operations. */
public final class BrokenCalls {

  private BrokenCalls() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R24, "a putAll of 65 drops the last", ShortPutAll::new),
        fault(Rule.R25, "a select of 65 drops the last", ShortSelect::new),
        fault(Rule.R26, "putAll checks its range as it goes", ChecksLate::new),
        fault(Rule.R27, "large tables are not merged", MergesSmallOnly::new),
        fault(Rule.R27, "merges by exclusive or", MergesByXor::new),
        fault(Rule.R27, "says that half of the bits are merged as files", new HalfUnion()),
        fault(Rule.R27, "merges files by an int of bits", new IntUnion()),
        fault(Rule.R28, "an argument read from a file loses a hash", TakesFromRead::new),
        fault(Rule.R29, "a table of 16 to 64 KiB is emptied by itself", EmptiedByItself::new),
        fault(Rule.R30, "hash ids are compared without case", IgnoresCase::new),
        fault(Rule.R30, "confined tables beyond 8 KiB fit whatever is as large", FitsBySize::new),
        fault(Rule.R31, "loses the last word of a table beyond 2^15 words", LosesLastMerged::new),
        fault(Rule.R31, "refuses a filter of more keys that was read", RefusesRead::new),
        fault(Rule.R28, "merges both ways", MergesBothWays::new),
        fault(Rule.R29, "throws when merged with itself", RefusesItself::new),
        fault(Rule.R30, "merges filters of other hashes", MergesOtherHashes::new),
        fault(Rule.R31, "merges filters of the same spec only", MergesSameSpecOnly::new),
        fault(Rule.R45, "is Serializable", JavaSerializable::new),
        fault(Rule.R46, "toString shows the last hash", ShowsHash::new),
        fault(Rule.R47, "filters are equal by content", EqualByContent::new),
        fault(Rule.R48, "takes a thread mode of null for shared", new NullMode()),
        fault(Rule.R48, "reads with limits of null as with none", new NullLimits()),
        fault(Rule.R66, "hashes differ from one locale to another", SaltedByLocale::new),
        fault(Rule.R66, "hashes differ from one JVM to another", new SaltedByJvm()),
        fault(Rule.R67, "a batch is kept, and put when somebody asks", KeepsBatch::new),
        fault(Rule.R67, "what was found is kept in the array of the caller", KeepsHits::new),
        fault(Rule.R49, "clear goes back to what was read", new ClearsToWhatWasRead()));
  }

  private static final class ShortPutAll extends PatchedFilter {
    ShortPutAll(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return super.putAll(hashes, from, to - from == 65 ? to - 1 : to);
    }
  }

  private static final class ShortSelect extends PatchedFilter {
    ShortSelect(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      Batches.checkSelect(hashes, from, to, hits);
      return super.select(hashes, from, to - from == 65 ? to - 1 : to, hits);
    }
  }

  private static final class ChecksLate extends PatchedFilter {
    ChecksLate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      int added = 0;
      if (from > to || from > hashes.length || from < 0) {
        throw new IndexOutOfBoundsException(from);
      }
      for (int i = from; i < to; i++) {
        added += put(hashes[i]) ? 1 : 0;
      }
      return added;
    }
  }

  private static final class MergesSmallOnly extends PatchedFilter {
    MergesSmallOnly(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (!large()) {
        super.putAll(other);
      }
    }
  }

  private static final class MergesByXor extends PatchedFilter {
    MergesByXor(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      MergeableFilter sum = (MergeableFilter) inner.copy();
      sum.putAll(unwrap(other));
      long[] both = Payload.of(sum).words();
      long[] here = Payload.of(inner).words();
      long[] there = Payload.of(unwrap(other)).words();
      for (int i = 0; i < both.length; i++) {
        both[i] ^= here[i] & there[i];
      }
      inner.clear();
      inner.putAll(standard(this, inner.spec(), both));
    }
  }

  /** Makes a filter that fits into another, from words. */
  private static Filter standard(PatchedFilter like, FilterSpec spec, long[] words) {
    Payload payload = new Payload((long) words.length * Long.BYTES, words);
    try {
      return PatchedFilter.unwrap(
          like.provider.read(spec, like.layout(), payload, like.mode, like.limits()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class MergesBothWays extends PatchedFilter {
    MergesBothWays(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      ((MergeableFilter) unwrap(other)).putAll(inner);
    }
  }

  private static final class RefusesItself extends PatchedFilter {
    RefusesItself(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (other == this) {
        throw new IllegalStateException("a filter cannot be merged with itself");
      }
      super.putAll(other);
    }
  }

  private static final class MergesOtherHashes extends PatchedFilter {
    MergesOtherHashes(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    private Filter recast(Filter other) {
      return other instanceof PatchedFilter patched && layout().equals(other.layout())
          ? standard(this, spec(), Payload.of(patched.inner).words())
          : other;
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(recast(other));
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return super.incompatibility(recast(other));
    }
  }

  private static final class MergesSameSpecOnly extends PatchedFilter {
    MergesSameSpecOnly(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (incompatibility(other).isPresent()) {
        throw new IllegalArgumentException(incompatibility(other).get());
      }
      super.putAll(other);
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return spec().equals(other.spec())
          ? super.incompatibility(other)
          : Optional.of("specs differ");
    }
  }

  @SuppressWarnings("serial") // serializing it would fail besides
  private static final class JavaSerializable extends PatchedFilter implements Serializable {
    JavaSerializable(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }
  }

  private static final class ShowsHash extends PatchedFilter {
    private long last;

    ShowsHash(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      last = hash;
      return super.put(hash);
    }

    @Override
    public String toString() {
      return super.toString() + ", last " + Long.toHexString(last);
    }
  }

  private static final class EqualByContent extends PatchedFilter {
    EqualByContent(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EqualByContent filter
          && Arrays.equals(Subject.write(this), Subject.write(filter));
    }

    @Override
    public int hashCode() {
      return layout().hashCode();
    }
  }

  private static final class NullMode extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      return super.create(spec, mode == null ? ThreadMode.SHARED : mode, limits);
    }
  }

  private static final class NullLimits extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      return super.read(spec, layout, in, mode, limits == null ? FilterLimits.HEAP : limits);
    }
  }

  private static final class ClearsToWhatWasRead extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      PatchedFilter read = (PatchedFilter) super.read(spec, layout, in, mode, limits);
      MergeableFilter original = (MergeableFilter) read.inner.copy();
      return new PatchedFilter(this, read.inner, mode) {
        @Override
        public void clear() {
          super.clear();
          inner.putAll(original);
        }
      };
    }
  }

  private static class Salted extends PatchedFilter {
    private final long salt;

    Salted(PatchedProvider provider, MergeableFilter inner, ThreadMode mode, long salt) {
      super(provider, inner, mode);
      this.salt = salt;
    }

    @Override
    public boolean put(long hash) {
      return super.put(hash ^ salt);
    }

    @Override
    public boolean mightContain(long hash) {
      return super.mightContain(hash ^ salt);
    }
  }

  private static final class SaltedByLocale extends Salted {
    SaltedByLocale(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode, Locale.getDefault().hashCode());
    }
  }

  static final class SaltedByJvm extends PatchedProvider {
    private static final long SALT = System.nanoTime();

    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return new Salted(this, filter, mode, SALT);
    }
  }

  private static final class KeepsBatch extends PatchedFilter {
    private long[] kept = {};

    KeepsBatch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      if (from != 0 || to != hashes.length || large()) {
        return super.putAll(hashes, from, to);
      }
      int added = inner.copy().putAll(hashes, from, to);
      kept = hashes;
      return added;
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      inner.putAll(kept, 0, kept.length);
      kept = new long[0];
      super.writePayload(out);
    }
  }

  /** Answers a batch of so many that is asked again, and nothing else meanwhile, from memory. */
  private static final class KeepsHits extends PatchedFilter {
    private long[] asked = {};
    private int[] found = {};

    KeepsHits(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      boolean again = to == 150 && from == 0 && Arrays.equals(asked, hashes);
      asked = hashes.clone();
      if (again) {
        System.arraycopy(found, 0, hits, 0, to);
        return (int) Arrays.stream(found, 0, to).filter(hit -> hit >= 0).count();
      }
      found = hits;
      return super.select(hashes, from, to, hits);
    }
  }

  private static final class HalfUnion extends PatchedProvider {
    @Override
    public OptionalLong unionBits(FilterLayout layout, long payloadSize) {
      return OptionalLong.of(payloadSize * Byte.SIZE / 2);
    }
  }

  private static final class IntUnion extends PatchedProvider {
    @Override
    public OptionalLong unionBits(FilterLayout layout, long payloadSize) {
      int bits = (int) (payloadSize * Byte.SIZE);
      return OptionalLong.of(bits);
    }
  }

  /** Tells filters that were read from those that were created. */
  private abstract static class KnowsRead extends PatchedFilter {
    KnowsRead(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    /** Returns whether a filter had content when it was made, and was not copied. */
    final boolean isRead = inner.stats().setBits() > 0;
  }

  private static final class TakesFromRead extends KnowsRead {
    TakesFromRead(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      if (other instanceof TakesFromRead from && from.isRead && from.large()) {
        from.inner.clear();
        from.inner.put(0);
      }
    }
  }

  private static final class EmptiedByItself extends PatchedFilter {
    EmptiedByItself(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (other == this && payloadSize() > 1 << 14 && payloadSize() < 1 << 16) {
        clear();
        return;
      }
      super.putAll(other);
    }
  }

  private static final class IgnoresCase extends PatchedFilter {
    IgnoresCase(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return other instanceof IgnoresCase
              && layout().equals(other.layout())
              && spec().hashId().equalsIgnoreCase(other.spec().hashId())
          ? Optional.empty()
          : super.incompatibility(other);
    }

    @Override
    public void putAll(Filter other) {
      if (incompatibility(other).isPresent() || super.incompatibility(other).isEmpty()) {
        super.putAll(other);
      }
    }
  }

  private static final class FitsBySize extends PatchedFilter {
    FitsBySize(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    private boolean isLarge() {
      return mode == ThreadMode.CONFINED && payloadSize() > 1 << 13;
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return isLarge() && other instanceof FitsBySize && payloadSize() == other.payloadSize()
          ? Optional.empty()
          : super.incompatibility(other);
    }
  }

  private static final class LosesLastMerged extends PatchedFilter {
    LosesLastMerged(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      long[] before = Payload.of(inner).words();
      super.putAll(other);
      if (before.length > 1 << 15) {
        long[] words = Payload.of(inner).words();
        words[words.length - 1] = before[before.length - 1];
        inner.clear();
        inner.putAll(unwrap(provider.read(spec(), layout(), words)));
      }
    }
  }

  private static final class RefusesRead extends PatchedFilter {
    RefusesRead(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return other.spec().expectedKeys() > spec().expectedKeys() && spec().expectedKeys() > 1_000
          ? Optional.of("more keys are expected there")
          : super.incompatibility(other);
    }

    @Override
    public void putAll(Filter other) {
      incompatibility(other)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(reason);
              });
      super.putAll(other);
    }
  }
}
