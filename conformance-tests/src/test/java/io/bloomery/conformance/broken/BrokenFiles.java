package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
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

/** Faults in writing filters and reading them. */
public final class BrokenFiles {

  private BrokenFiles() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R32, "writes zero for the last word of a large table", LosesLastWord::new),
        fault(Rule.R32, "reads an empty filter", new ReadsEmpty()),
        fault(
            Rule.R32,
            "check refuses empty filters",
            TableFault.CHECK_REFUSES_EMPTY_FILTERS.everywhere()),
        fault(Rule.R38, "maps a word too many", TableFault.MAP_TAKES_A_WORD_MORE.everywhere()),
        fault(Rule.R32, "writes from 1 to 4 MiB nothing behind the first MiB", LosesTail::new),
        fault(Rule.R33, "gives the size of a shared table that was read wrongly", SizeRead::new),
        fault(Rule.R35, "hides errors in the content of a table beyond 8 KiB", HidesLate::new),
        fault(Rule.R36, "breaks down where a table of 1 to 32 KiB is cut off", new BreaksInside()),
        fault(Rule.R38, "breaks down on bits that are one word too few", new BreaksOnNearly()),
        fault(Rule.R76, "a mapped batch is selected as from 0", new SelectsFromZero()),
        fault(Rule.R76, "a mapped batch of over 10,000 loses its last", new LosesLastOfMany()),
        fault(Rule.R76, "maps the same file again if it is as large", new MapsSame()),
        fault(Rule.R33, "gives a payload size that is a word long", SizeLong::new),
        fault(Rule.R34, "reads into the table it read into before", new ReadsIntoSame()),
        fault(Rule.R35, "hides errors of the stream it writes to", HidesErrors::new),
        fault(Rule.R36, "breaks down where a small table is cut off", new BreaksAtEnd()),
        fault(Rule.R37, "breaks down on a checksum of its own", AppendingProvider.checksum()),
        fault(Rule.R38, "breaks down on mapping a layout without a number", new MapsUnchecked()),
        fault(Rule.R38, "merges files whatever their size", new MergesAnySize()),
        fault(Rule.R38, "breaks down on a bad layout", new BreaksOnLayout()),
        fault(Rule.R65, "reads a word of 63 set bits as one of 64", new RepairsWord()),
        fault(Rule.R75, "reads what it would build for the spec only", new PlansAgain()),
        fault(Rule.R76, "maps the first segment only", new MapsFirstSegment()),
        fault(Rule.R65, "falls over a word that no filter writes", new FallsOverWord()),
        fault(Rule.R38, "takes memory on the word of the layout", new TrustsLayout()));
  }

  private static final class MergesAnySize extends PatchedProvider {
    @Override
    public OptionalLong unionBits(FilterLayout layout, long payloadSize) {
      return OptionalLong.of(TableLayout.of(layout).bits());
    }
  }

  private static final class LosesLastWord extends PatchedFilter {
    LosesLastWord(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      out.begin(payloadSize());
      long[] words = Payload.of(inner).words();
      if (large()) {
        words[words.length - 1] = 0;
      }
      for (long word : words) {
        out.writeLong(word);
      }
    }
  }

  private static final class ReadsEmpty extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      Filter read = super.read(spec, layout, in, mode, limits);
      read.clear();
      return read;
    }
  }

  private static final class SizeLong extends PatchedFilter {
    SizeLong(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public long payloadSize() {
      return super.payloadSize() + Long.BYTES;
    }
  }

  private static final class MapsFirstSegment extends PatchedProvider {
    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      LongBuffer first = in.mapLongs(in.size() / Long.BYTES)[0];
      long[] words = new long[(int) (in.size() / Long.BYTES)];
      first.get(0, words, 0, first.limit());
      return read(
          spec, layout, new Payload(in.size(), words), ThreadMode.SHARED, FilterLimits.HEAP);
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

  private static final class HidesErrors extends PatchedFilter {
    HidesErrors(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void writePayload(PayloadOutput out) {
      try {
        super.writePayload(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class BreaksAtEnd extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      PayloadInput breaking =
          new PayloadInput() {
            @Override
            public long size() {
              return in.size();
            }

            @Override
            public long[] readLongs(long count) throws IOException {
              try {
                return in.readLongs(count);
              } catch (FilterFormatException e) {
                if (count <= 4) {
                  throw new ArrayIndexOutOfBoundsException((int) count);
                }
                throw e;
              }
            }

            @Override
            public FilterFormatException malformed(String reason) {
              return in.malformed(reason);
            }
          };
      return super.read(spec, layout, breaking, mode, limits);
    }
  }

  private static final class BreaksOnLayout extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      TableLayout checked = TableLayout.of(layout);
      return super.read(spec, checked.toLayout(), in, mode, limits);
    }
  }

  private static final class TrustsLayout extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      long bits = layout.toMap().getOrDefault("bits", 0L);
      long[] words = new long[(int) Math.max(0, Math.min(bits / Long.SIZE, 1 << 24))];
      if (words.length * 8L != in.size()) {
        throw in.malformed("there must be " + words.length + " words");
      }
      return super.read(spec, layout, in, mode, limits);
    }
  }

  /** Reads words through a function. */
  private abstract static class ReadsThrough extends PatchedProvider {
    abstract long read(long word);

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      PayloadInput through =
          new PayloadInput() {
            @Override
            public long size() {
              return in.size();
            }

            @Override
            public long[] readLongs(long count) throws IOException {
              return Arrays.stream(in.readLongs(count)).map(ReadsThrough.this::read).toArray();
            }

            @Override
            public FilterFormatException malformed(String reason) {
              return in.malformed(reason);
            }
          };
      return super.read(spec, layout, through, mode, limits);
    }
  }

  private static final class RepairsWord extends ReadsThrough {
    @Override
    long read(long word) {
      return word == Long.MAX_VALUE ? -1 : word;
    }
  }

  private static final class FallsOverWord extends ReadsThrough {
    @Override
    long read(long word) {
      if (word == Long.MAX_VALUE) {
        throw new IllegalStateException("this cannot be");
      }
      return word;
    }
  }

  private static final class PlansAgain extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      if (plan(spec).sizeInBits() != layout.toMap().getOrDefault("bits", 0L)) {
        throw in.malformed("nobody would plan this for " + spec);
      }
      return super.read(spec, layout, in, mode, limits);
    }
  }

  private static final class LosesTail extends PatchedFilter {
    LosesTail(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      out.begin(payloadSize());
      long[] words = Payload.of(inner).words();
      if (words.length > 1 << 17 && words.length < 1 << 19) {
        Arrays.fill(words, 1 << 17, words.length, 0);
      }
      for (long word : words) {
        out.writeLong(word);
      }
    }
  }

  private static final class SizeRead extends PatchedFilter {
    SizeRead(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    private final boolean isRead = inner.stats().setBits() > 0;

    @Override
    public long payloadSize() {
      boolean isWrong = isRead && mode == ThreadMode.SHARED && super.payloadSize() > 1 << 12;
      return super.payloadSize() + (isWrong ? Long.BYTES : 0);
    }

    @Override
    public Filter copy() {
      return new PatchedFilter(provider, (MergeableFilter) inner.copy(), mode);
    }
  }

  private static final class HidesLate extends PatchedFilter {
    HidesLate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      try {
        super.writePayload(out);
      } catch (IOException e) {
        if (payloadSize() > 1 << 13) {
          throw new UncheckedIOException(e);
        }
        throw e;
      }
    }
  }

  private static final class BreaksInside extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      try {
        return super.read(spec, layout, in, mode, limits);
      } catch (FilterFormatException e) {
        if (in.size() > 1 << 10 && in.size() < 1 << 15) {
          throw new IndexOutOfBoundsException("0");
        }
        throw e;
      }
    }
  }

  private static final class BreaksOnNearly extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      if (layout.toMap().getOrDefault("bits", 0L) + Long.SIZE == in.size() * Byte.SIZE) {
        throw new IndexOutOfBoundsException("one word is left");
      }
      return super.read(spec, layout, in, mode, limits);
    }
  }

  /** Answers from what was read, through a method of its own. */
  private abstract static class MapsThrough extends PatchedProvider {
    abstract int select(FilterView view, long[] hashes, int from, int to, int[] hits);

    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      FilterView view = super.map(spec, layout, in);
      return new FilterView() {
        @Override
        public boolean mightContain(long hash) {
          return view.mightContain(hash);
        }

        @Override
        public int select(long[] hashes, int from, int to, int[] hits) {
          return MapsThrough.this.select(view, hashes, from, to, hits);
        }

        @Override
        public FilterStats stats() {
          return view.stats();
        }
      };
    }
  }

  private static final class MapsUnchecked extends PatchedProvider {
    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      if (layout.get("probes") > Long.SIZE) {
        throw new FilterFormatException(Reason.INVALID, 0, "too many probes: " + layout);
      }
      return super.map(spec, layout, in);
    }
  }

  private static final class SelectsFromZero extends MapsThrough {
    @Override
    int select(FilterView view, long[] hashes, int from, int to, int[] hits) {
      int found = view.select(hashes, from, to, hits);
      for (int i = 0; i < found; i++) {
        hits[i] -= from;
      }
      return found;
    }
  }

  private static final class LosesLastOfMany extends MapsThrough {
    @Override
    int select(FilterView view, long[] hashes, int from, int to, int[] hits) {
      return view.select(hashes, from, to - from > 10_000 ? to - 1 : to, hits);
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
