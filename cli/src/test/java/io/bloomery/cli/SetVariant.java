package io.bloomery.cli;

import com.carrotsearch.hppc.LongLongHashMap;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;

/**
 * A variant that stores every hash and how often it was put, correctly or with a fault; in a jar of
 * its own, one as a third party would provide it.
 */
public class SetVariant implements FilterProvider {

  /** The faults that it can have. */
  public enum Fault {
    NONE,
    FORGETS_ONE_IN_A_THOUSAND,
    SAYS_YES_TO_TWO_IN_A_HUNDRED,
    FORGETS_ALL_ON_REMOVE,
    PUTS_SOMETHING_WHEN_OPENED,
    FORGETS_WHAT_IT_DID_NOT_EXPECT,
    SAYS_YES_MORE_OFTEN_THAN_PLANNED_WHEN_GROWN,
    IS_FULL_WHEN_IT_HOLDS_WHAT_IT_EXPECTED
  }

  private final Fault fault;

  /** For ServiceLoader. */
  public SetVariant() {
    this(Fault.NONE);
  }

  public SetVariant(Fault fault) {
    this.fault = fault;
  }

  @Override
  public String variant() {
    return "set";
  }

  @Override
  public Class<? extends Filter> filterType() {
    return SetFilter.class;
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return new SetPlan(spec);
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    return new SetFilter(spec, fault, new LongLongHashMap());
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    long[] words = in.readLongs(in.size() / Long.BYTES);
    LongLongHashMap counts = new LongLongHashMap();
    for (int i = 0; i < words.length; i += 2) {
      counts.put(words[i], words[i + 1]);
    }
    if (fault == Fault.PUTS_SOMETHING_WHEN_OPENED) {
      counts.put(1, 1);
    }
    return new SetFilter(spec, fault, counts);
  }

  /** A set gives the right answer for every key, however many there are. */
  private record SetPlan(FilterSpec spec) implements FilterPlan {

    @Override
    public String variant() {
      return "set";
    }

    @Override
    public long sizeInBits() {
      return 128 * spec.expectedKeys();
    }

    @Override
    public int probes() {
      return 1;
    }

    @Override
    public double falsePositiveRate(long keys) {
      return 0;
    }
  }

  private record SetFilter(FilterSpec spec, Fault fault, LongLongHashMap counts)
      implements RemovableFilter {

    @Override
    public FilterLimits limits() {
      return FilterLimits.HEAP;
    }

    @Override
    public boolean put(long hash) {
      boolean added = !mightContain(hash);
      if (added && counts.size() >= spec.expectedKeys()) {
        switch (fault) {
          case FORGETS_WHAT_IT_DID_NOT_EXPECT -> {
            return true;
          }
          case IS_FULL_WHEN_IT_HOLDS_WHAT_IT_EXPECTED ->
              throw new FilterFullException("the filter is full; allow more when creating it");
          default -> {
            // Grows.
          }
        }
      }
      counts.addTo(hash, 1);
      return added;
    }

    @Override
    public boolean mightContain(long hash) {
      boolean listed = counts.containsKey(hash);
      return switch (fault) {
        case FORGETS_ONE_IN_A_THOUSAND -> listed && Long.remainderUnsigned(hash, 1000) > 0;
        case SAYS_YES_TO_TWO_IN_A_HUNDRED -> listed || Long.remainderUnsigned(hash, 100) < 2;
        case SAYS_YES_MORE_OFTEN_THAN_PLANNED_WHEN_GROWN ->
            listed
                || (counts.size() > spec.expectedKeys() && Long.remainderUnsigned(hash, 100) < 2);
        default -> listed;
      };
    }

    @Override
    public boolean remove(long hash) {
      if (!mightContain(hash)) {
        return false;
      }
      if (fault == Fault.FORGETS_ALL_ON_REMOVE) {
        counts.clear();
      } else if (counts.addTo(hash, -1) == 0) {
        counts.remove(hash);
      }
      return true;
    }

    @Override
    public long approximateCount(long hash) {
      return counts.getOrDefault(hash, 0);
    }

    @Override
    public String variant() {
      return "set";
    }

    @Override
    public FilterLayout layout() {
      return FilterLayout.EMPTY;
    }

    @Override
    public FilterStats stats() {
      long bits = 128L * counts.size();
      return FilterStats.of(spec)
          .sizeInBits(bits)
          .setBits(bits)
          .approximateKeys(counts.size())
          .build();
    }

    @Override
    public Filter copy() {
      return new SetFilter(spec, fault, counts.clone());
    }

    @Override
    public void clear() {
      counts.clear();
    }

    @Override
    public long payloadSize() {
      return 2L * Long.BYTES * counts.size();
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      out.begin(payloadSize());
      long[] hashes = counts.keys().toArray();
      Arrays.sort(hashes);
      for (long hash : hashes) {
        out.writeLong(hash);
        out.writeLong(counts.get(hash));
      }
    }

    /** Omits the content, whose order differs each time. */
    @Override
    public String toString() {
      return "set of " + counts.size() + " for " + spec;
    }
  }
}
