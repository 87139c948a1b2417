package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** Faults in writing filters and reading them. */
public final class BrokenFiles {

  private BrokenFiles() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R32,
            "writes zero for the last word of a large table",
            TableFault.WRITE_DROPS_A_WORD.in(FaultWindow.LARGE, 1)),
        fault(
            Rule.R32,
            "writes from 1 to 4 MiB nothing of a word near the end",
            TableFault.WRITE_DROPS_A_WORD.in(FaultWindow.bytes(1 << 20, 4 << 20), 0.99)),
        fault(
            Rule.R32,
            "reads an empty filter",
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  Filter read = right.read(spec, layout, in, mode, limits);
                  read.clear();
                  return read;
                })),
        fault(
            Rule.R32,
            "check refuses empty filters",
            TableFault.CHECK_REFUSES_EMPTY_FILTERS.everywhere()),
        fault(
            Rule.R33,
            "gives the size of a shared table that was read wrongly",
            TableFault.PAYLOAD_SIZE_IS_WRONG.in(
                FaultWindow.bytesFrom((4 << 10) + 1).in(ThreadMode.SHARED).after(Step.READ))),
        fault(Rule.R34, "reads into the table it read into before", new ReadsIntoSame()),
        fault(
            Rule.R35,
            "hides errors in the content of a table beyond 8 KiB",
            FaultWindow.bytesFrom((8 << 10) + 1),
            Patch.write(
                (filter, out) -> {
                  try {
                    filter.inner.writePayload(out);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })),
        fault(
            Rule.R36,
            "breaks down where a table of 1 to 32 KiB is cut off",
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  try {
                    return right.read(spec, layout, in, mode, limits);
                  } catch (FilterFormatException e) {
                    if (in.size() > 1 << 10 && in.size() < 32 << 10) {
                      throw new IndexOutOfBoundsException("0");
                    }
                    throw e;
                  }
                })),
        fault(
            Rule.R36,
            "breaks down where a small table is cut off",
            Patch.read(
                (right, spec, layout, in, mode, limits) ->
                    right.read(spec, layout, new BreaksAtEnd(in), mode, limits))),
        fault(Rule.R37, "breaks down on a checksum of its own", AppendingProvider.checksum()),
        fault(
            Rule.R38,
            "breaks down on bits that are one word too few",
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  if (bits(layout) + Long.SIZE == in.size() * Byte.SIZE) {
                    throw new IndexOutOfBoundsException("one word is left");
                  }
                  return right.read(spec, layout, in, mode, limits);
                })),
        fault(
            Rule.R38,
            "breaks down on a bad layout",
            Patch.read(
                (right, spec, layout, in, mode, limits) ->
                    right.read(spec, TableLayout.of(layout).toLayout(), in, mode, limits))),
        fault(
            Rule.R38,
            "takes memory on the word of the layout",
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  long words = Math.max(0, Math.min(bits(layout) / Long.SIZE, 1 << 24));
                  long[] table = new long[(int) words];
                  if (table.length * 8L != in.size()) {
                    throw in.malformed("there must be " + words + " words");
                  }
                  return right.read(spec, layout, in, mode, limits);
                })),
        fault(
            Rule.R38,
            "breaks down on mapping a layout without a number",
            Patch.map(
                (right, spec, layout, in) -> {
                  if (layout.get("probes") > Long.SIZE) {
                    throw new FilterFormatException(Reason.INVALID, 0, "many probes: " + layout);
                  }
                  return right.map(spec, layout, in);
                })),
        fault(Rule.R38, "maps a word too many", TableFault.MAP_TAKES_A_WORD_MORE.everywhere()),
        fault(
            Rule.R38,
            "merges files whatever their size",
            Patch.unionBits((layout, bytes) -> OptionalLong.of(TableLayout.of(layout).bits()))),
        fault(
            Rule.R65,
            "reads a word of 63 set bits as one of 64",
            readWords(word -> word == Long.MAX_VALUE ? -1 : word)),
        fault(
            Rule.R65,
            "falls over a word that no filter writes",
            readWords(
                word -> {
                  if (word == Long.MAX_VALUE) {
                    throw new IllegalStateException("this cannot be");
                  }
                  return word;
                })),
        fault(
            Rule.R75,
            "reads what it would build for the spec only",
            TableFault.READ_PLANS_THE_LAYOUT_AGAIN.everywhere()),
        fault(
            Rule.R76,
            "maps the first segment only",
            Patch.map(
                (right, spec, layout, in) -> {
                  LongBuffer first = in.mapLongs(in.size() / Long.BYTES)[0];
                  long[] words = new long[(int) (in.size() / Long.BYTES)];
                  first.get(0, words, 0, first.limit());
                  return right.map(spec, layout, new Payload(in.size(), words));
                })),
        fault(
            Rule.R76,
            "a mapped batch is selected as from 0",
            mapped(
                (view, hashes, from, to, hits) -> {
                  int found = view.select(hashes, from, to, hits);
                  for (int i = 0; i < found; i++) {
                    hits[i] -= from;
                  }
                  return found;
                })),
        fault(
            Rule.R76,
            "a mapped batch of over 10,000 loses its last",
            mapped(
                (view, hashes, from, to, hits) ->
                    view.select(hashes, from, to - from > 10_000 ? to - 1 : to, hits))),
        fault(Rule.R76, "maps the same file again if it is as large", new MapsSame()));
  }

  private static long bits(FilterLayout layout) {
    return layout.toMap().getOrDefault("bits", 0L);
  }

  /** Reads words through a function. */
  private static Patch readWords(LongUnaryOperator function) {
    return Patch.read(
        (right, spec, layout, in, mode, limits) -> {
          PayloadInput through =
              new PatchedInput(in) {
                @Override
                public long[] readLongs(long count) throws IOException {
                  return Arrays.stream(super.readLongs(count)).map(function).toArray();
                }
              };
          return right.read(spec, layout, through, mode, limits);
        });
  }

  private interface MappedSelection {
    int select(FilterView view, long[] hashes, int from, int to, int[] hits);
  }

  /** Asks mapped filters for batches in another way. */
  private static Patch mapped(MappedSelection selection) {
    return Patch.map(
        (right, spec, layout, in) -> {
          FilterView view = right.map(spec, layout, in);
          return new PatchedView(view) {
            @Override
            public int select(long[] hashes, int from, int to, int[] hits) {
              return selection.select(view, hashes, from, to, hits);
            }
          };
        });
  }

  private static final class BreaksAtEnd extends PatchedInput {
    BreaksAtEnd(PayloadInput in) {
      super(in);
    }

    @Override
    public long[] readLongs(long count) throws IOException {
      try {
        return super.readLongs(count);
      } catch (FilterFormatException e) {
        if (count <= 4) {
          throw new ArrayIndexOutOfBoundsException((int) count);
        }
        throw e;
      }
    }
  }

  private static final class ReadsIntoSame extends PatchedProvider {
    private final Map<FilterLayout, PatchedFilter> known = new HashMap<>();

    @Override
    public synchronized Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      PatchedFilter read = (PatchedFilter) super.read(spec, layout, in, mode, limits);
      PatchedFilter same = known.get(layout);
      if (same == null || !same.spec().equals(spec)) {
        known.put(layout, read);
        return read;
      }
      same.clear();
      same.putAll(read);
      return same;
    }
  }

  private static final class MapsSame extends PatchedProvider {
    private FilterView last;
    private FilterLayout lastLayout;

    @Override
    public synchronized FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      FilterView view = super.map(spec, layout, in);
      if (in.size() < 1 << 12 || !layout.equals(lastLayout)) {
        last = view;
        lastLayout = layout;
      }
      return last;
    }
  }
}
