package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.standard.StandardProvider;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Faults in batches and merges, in filters as objects, and in sequences of operations. */
@SuppressWarnings("UnnecessaryLongToIntConversion") // a fault
public final class BrokenCalls {

  /** Tables that do not fit into a second-level cache. */
  private static final FaultWindow BEYOND_THE_CACHE = FaultWindow.bytesFrom((1 << 20) + 1);

  private BrokenCalls() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R24,
            "a putAll of 65 drops the last",
            Patch.putAll(
                (filter, hashes, from, to) ->
                    filter.putEach(hashes, from, to - from == 65 ? to - 1 : to))),
        fault(
            Rule.R24,
            "a long putAll within an array drops its last",
            TableFault.PUT_ALL_SKIPS_ITS_LAST.inBatches(FaultWindow.EVERYWHERE, 1, 1_025)),
        fault(
            Rule.R24,
            "putAll counts in a short",
            Patch.putAll((filter, hashes, from, to) -> (short) filter.putEach(hashes, from, to))),
        fault(
            Rule.R24,
            "putAll beyond a MiB counts what is twice in 64",
            BEYOND_THE_CACHE.in(ThreadMode.CONFINED),
            Patch.putAll(BrokenCalls::putInChunks)),
        fault(
            Rule.R25,
            "a select of 65 drops the last",
            Patch.select(
                (filter, hashes, from, to, hits) -> {
                  Batches.checkSelect(hashes, from, to, hits);
                  return filter.selectEach(hashes, from, to - from == 65 ? to - 1 : to, hits);
                })),
        fault(
            Rule.R25,
            "a long select within an array drops its last",
            TableFault.SELECT_LOSES_ITS_LAST_HIT.inBatches(FaultWindow.EVERYWHERE, 1, 1_025)),
        fault(
            Rule.R25,
            "an odd select beyond a MiB drops its last",
            BEYOND_THE_CACHE,
            Patch.select(
                (filter, hashes, from, to, hits) -> {
                  // As if asked two by two.
                  boolean isOdd = to - from > 16 && (to - from) % 2 == 1;
                  return filter.selectEach(hashes, from, isOdd ? to - 1 : to, hits);
                })),
        fault(
            Rule.R25,
            "select keeps indices in two bytes",
            Patch.select(
                (filter, hashes, from, to, hits) -> {
                  int found = filter.selectEach(hashes, from, to, hits);
                  for (int i = 0; i < found; i++) {
                    hits[i] &= 0xffff;
                  }
                  return found;
                })),
        fault(
            Rule.R26,
            "a long putAll checks its range as it goes",
            Patch.putAll(
                (filter, hashes, from, to) -> {
                  boolean begins = from >= 0 && from < hashes.length && to > hashes.length;
                  if (begins && hashes.length > 1_000) {
                    filter.put(hashes[from]);
                  }
                  return filter.putEach(hashes, from, to);
                })),
        fault(
            Rule.R27,
            "large tables are not merged",
            FaultWindow.LARGE,
            Patch.merge((filter, other) -> {})),
        fault(Rule.R27, "merges by exclusive or", Patch.merge(BrokenCalls::mergeByXor)),
        fault(
            Rule.R27,
            "says that half of the bits are merged as files",
            Patch.unionBits((layout, bytes) -> OptionalLong.of(bytes * Byte.SIZE / 2))),
        fault(
            Rule.R27,
            "merges files by an int of bits",
            Patch.unionBits((layout, bytes) -> OptionalLong.of((int) (bytes * Byte.SIZE)))),
        fault(
            Rule.R28,
            "an argument read from a file loses a hash",
            Patch.merge(
                (filter, other) -> {
                  filter.rightMerge(other);
                  if (other instanceof PatchedFilter from && from.has(Step.READ) && from.large()) {
                    from.inner.clear();
                    from.inner.put(0);
                  }
                })),
        fault(Rule.R28, "merges both ways", TableFault.MERGE_CHANGES_ITS_ARGUMENT.everywhere()),
        fault(
            Rule.R29,
            "a table of 16 to 64 KiB is emptied by itself",
            FaultWindow.bytes(16 << 10, 64 << 10),
            Patch.merge(
                (filter, other) -> {
                  if (other == filter) {
                    filter.inner.clear();
                  } else {
                    filter.rightMerge(other);
                  }
                })),
        fault(
            Rule.R29,
            "throws when merged with itself",
            Patch.merge(
                (filter, other) -> {
                  if (other == filter) {
                    throw new IllegalStateException("a filter cannot be merged with itself");
                  }
                  filter.rightMerge(other);
                })),
        fault(
            Rule.R30,
            "hash ids are compared without case",
            Patch.incompatibility(
                (filter, other) ->
                    fitsWithoutCase(filter, other)
                        ? Optional.empty()
                        : filter.rightIncompatibility(other)),
            Patch.merge(
                (filter, other) -> {
                  if (!fitsWithoutCase(filter, other)
                      || filter.rightIncompatibility(other).isEmpty()) {
                    filter.rightMerge(other);
                  }
                })),
        fault(
            Rule.R30,
            "confined tables beyond 8 KiB fit whatever is as large",
            FaultWindow.bytesFrom((8 << 10) + 1).in(ThreadMode.CONFINED),
            Patch.incompatibility(
                (filter, other) ->
                    other instanceof PatchedFilter && filter.payloadSize() == other.payloadSize()
                        ? Optional.empty()
                        : filter.rightIncompatibility(other))),
        fault(
            Rule.R30,
            "merges filters of other hashes",
            TableFault.MERGE_TAKES_OTHER_HASH_IDS.everywhere()),
        fault(
            Rule.R31,
            "loses the last word of a table beyond 2^15 words",
            TableFault.MERGE_DROPS_A_WORD.in(FaultWindow.bytesFrom(Long.BYTES << 15), 1)),
        fault(
            Rule.R31,
            "refuses a filter of more keys that was read",
            FaultWindow.keys(1_001, Double.MAX_VALUE),
            Patch.refuse(
                (here, there) -> there.expectedKeys() > here.expectedKeys(),
                "more keys are expected there")),
        fault(
            Rule.R84,
            "large intersections are empty",
            FaultWindow.LARGE,
            Patch.intersection(
                (filter, other) -> {
                  PatchedFilter both = filter.rightIntersection(other);
                  both.inner.clear();
                  return both;
                })),
        fault(
            Rule.R84,
            "an intersection has what one of them has",
            Patch.intersection(
                (filter, other) -> {
                  PatchedFilter both = filter.rightIntersection(other);
                  both.inner.putAll(filter.inner);
                  return both;
                })),
        fault(
            Rule.R84,
            "an intersection read from a file has lost its mark",
            Patch.spec(
                (filter, spec) ->
                    filter.has(Step.READ) ? spec.withAttributes(withoutMark(spec)) : spec)),
        fault(
            Rule.R84,
            "a confined filter keeps what both have only",
            FaultWindow.EVERYWHERE.in(ThreadMode.CONFINED),
            Patch.intersection(
                (filter, other) -> {
                  PatchedFilter both = filter.rightIntersection(other);
                  filter.inner.clear();
                  filter.inner.putAll(PatchedFilter.unwrap(other));
                  return both;
                })),
        fault(Rule.R45, "large confined filters are Serializable", new SerializableWhenLarge()),
        fault(
            Rule.R46,
            "toString of large tables shows the last hash",
            FaultWindow.bytes(64 << 10, 1 << 20),
            Patch.text((filter, text) -> text + ", last " + Long.toHexString(filter.last))),
        fault(
            Rule.R47,
            "large confined filters are equal by content",
            TableFault.EQUALS_ITS_COPY.in(
                FaultWindow.bytes(16 << 10, 1 << 20).in(ThreadMode.CONFINED))),
        fault(
            Rule.R48,
            "takes null for shared beyond 10,000 keys",
            Patch.create(
                (right, spec, mode, limits) -> {
                  boolean takesNull = mode == null && spec.expectedKeys() > 10_000;
                  return right.create(spec, takesNull ? ThreadMode.SHARED : mode, limits);
                })),
        fault(
            Rule.R48,
            "reads with limits of null as with none",
            Patch.read(
                (right, spec, layout, in, mode, limits) ->
                    right.read(
                        spec, layout, in, mode, limits == null ? FilterLimits.HEAP : limits))),
        fault(
            Rule.R49,
            "a batch of many after clear drops its last",
            TableFault.PUT_ALL_SKIPS_ITS_LAST.inBatches(
                FaultWindow.EVERYWHERE.after(Step.CLEAR), 0, 101)),
        fault(
            Rule.R49,
            "clear of a merged large filter leaves a word",
            TableFault.CLEAR_LEAVES_A_WORD.in(FaultWindow.LARGE.after(Step.MERGE))),
        fault(
            Rule.R49,
            "clear goes back to what was read",
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  PatchedFilter read = (PatchedFilter) right.read(spec, layout, in, mode, limits);
                  read.kept = read.inner.copy();
                  return read;
                }),
            Patch.clear(
                filter -> {
                  filter.inner.clear();
                  if (filter.kept instanceof Filter original) {
                    filter.inner.putAll(original);
                  }
                })),
        fault(
            Rule.R66,
            "hashes differ from one locale to another",
            Patch.hashes((filter, hash) -> hash ^ Locale.getDefault().hashCode())),
        fault(Rule.R66, "hashes differ from one JVM to another", new SaltedByJvm()),
        fault(
            Rule.R67,
            "a batch is kept, and put when somebody asks",
            Patch.putAll(
                (filter, hashes, from, to) -> {
                  if (from != 0 || to != hashes.length || filter.large()) {
                    return filter.putEach(hashes, from, to);
                  }
                  filter.kept = hashes;
                  return filter.inner.copy().putAll(hashes, from, to);
                }),
            Patch.write(
                (filter, out) -> {
                  if (filter.kept instanceof long[] batch) {
                    filter.inner.putAll(batch, 0, batch.length);
                    filter.kept = null;
                  }
                  filter.inner.writePayload(out);
                })),
        fault(
            Rule.R67,
            "a batch within an array is kept",
            Patch.putAll(
                (filter, hashes, from, to) -> {
                  if (from > 0 && from < to) {
                    filter.kept = hashes;
                    filter.count = from;
                  }
                  return filter.putEach(hashes, from, to);
                }),
            Patch.write(
                (filter, out) -> {
                  if (filter.kept instanceof long[] batch) {
                    filter.inner.put(batch[filter.count]);
                  }
                  filter.inner.writePayload(out);
                })),
        fault(
            Rule.R67,
            "what was found is kept in the array of the caller",
            Patch.select(BrokenCalls::selectFromMemory)),
        fault(
            Rule.R77,
            "clear of 4 KiB and more forgets attributes",
            FaultWindow.bytesFrom(4 << 10).after(Step.CLEAR),
            Patch.spec((filter, spec) -> spec.withAttributes(Map.of()))));
  }

  /** Looks for all hashes of a chunk before it puts them. */
  private static int putInChunks(PatchedFilter filter, long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int chunk = 64;
    int added = 0;
    for (int i = from; i < to; i += chunk) {
      int end = Math.min(to, i + chunk);
      added += end - i - filter.selectEach(hashes, i, end, new int[chunk]);
      filter.putEach(hashes, i, end);
    }
    return added;
  }

  private static void mergeByXor(PatchedFilter filter, Filter other) {
    MergeableFilter sum = (MergeableFilter) filter.inner.copy();
    sum.putAll(PatchedFilter.unwrap(other));
    long[] both = Payload.of(sum).words();
    long[] here = Payload.of(filter.inner).words();
    long[] there = Payload.of(PatchedFilter.unwrap(other)).words();
    for (int i = 0; i < both.length; i++) {
      both[i] ^= here[i] & there[i];
    }
    filter.inner.clear();
    filter.inner.putAll(filter.provider.read(filter.spec(), filter.layout(), both));
  }

  private static Map<String, String> withoutMark(FilterSpec spec) {
    Map<String, String> attributes = new HashMap<>(spec.attributes());
    attributes.remove(FilterSpec.INTERSECTION);
    return attributes;
  }

  private static boolean fitsWithoutCase(PatchedFilter filter, Filter other) {
    return other instanceof PatchedFilter
        && filter.layout().equals(other.layout())
        && filter.spec().hashId().equalsIgnoreCase(other.spec().hashId());
  }

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Answer(long[] asked, int[] found) {}

  /** Answers a batch of so many that is asked again, and nothing else meanwhile, from memory. */
  private static int selectFromMemory(
      PatchedFilter filter, long[] hashes, int from, int to, int[] hits) {
    Object before = filter.kept;
    if (to == 150 && from == 0 && before instanceof Answer last) {
      if (Arrays.equals(last.asked, hashes)) {
        System.arraycopy(last.found, 0, hits, 0, to);
        return (int) Arrays.stream(last.found, 0, to).filter(hit -> hit >= 0).count();
      }
    }
    filter.kept = new Answer(hashes.clone(), hits);
    return filter.selectEach(hashes, from, to, hits);
  }

  private static final class SerializableWhenLarge extends PatchedProvider {
    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return mode == ThreadMode.CONFINED && filter.payloadSize() > 1 << 14
          ? new JavaSerializable(this, filter, mode)
          : super.wrap(filter, mode);
    }
  }

  @SuppressWarnings("serial") // serializing it would fail besides
  private static final class JavaSerializable extends PatchedFilter implements Serializable {
    JavaSerializable(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }
  }

  /** Has a name, so that another JVM can make one. */
  static final class SaltedByJvm extends PatchedProvider {
    private static final long SALT = System.nanoTime();

    SaltedByJvm() {
      super(
          new StandardProvider(),
          new Calls(FaultWindow.EVERYWHERE, Patch.hashes((filter, hash) -> hash ^ SALT)));
    }
  }
}
