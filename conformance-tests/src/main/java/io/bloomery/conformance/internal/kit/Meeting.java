package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An operation that another thread performs another one beside, with a result that it has alone.
 */
public enum Meeting {
  PLAN,
  CREATE,
  READ,
  MAP,
  CHECK,
  WRITE,
  COPY,
  STATISTICS,
  DESCRIBE,
  SELECT,
  QUERY,
  PUT,
  PUT_ALL,
  MERGE,
  REMOVE_ALL,
  CLEAR;

  private static final Set<Meeting> CHANGES = EnumSet.of(PUT, PUT_ALL, MERGE, REMOVE_ALL, CLEAR);

  /** What operations are performed on: a filter, and copies of it that are changed once each. */
  public static final class Parties {
    private final Subject subject;
    private final FilterSpec spec;
    private final Filter filter;
    private final List<Filter> changed;
    private final long[] put;
    private final long[] words;

    public Parties(Subject subject, FilterSpec spec, long[] hashes, int times) {
      this.subject = subject;
      this.spec = spec;
      this.filter = filled(subject, spec, hashes);
      this.changed = Stream.generate(filter::copy).limit(times + 1L).toList();
      this.put = hashes;
      this.words = Payload.of(filter).words();
    }

    private static Filter filled(Subject subject, FilterSpec spec, long[] hashes) {
      Filter filter = subject.provider().create(spec, ThreadMode.SHARED);
      // The others are absent.
      Subject.put(filter, Arrays.copyOf(hashes, hashes.length / 2));
      return filter;
    }
  }

  public static Meeting[] offered(Subject subject) {
    Class<?> type = subject.provider().filterType();
    return Arrays.stream(values())
        .filter(meeting -> meeting.isReading() || subject.takesPuts())
        .filter(meeting -> meeting != MERGE || MergeableFilter.class.isAssignableFrom(type))
        .filter(meeting -> meeting != REMOVE_ALL || RemovableFilter.class.isAssignableFrom(type))
        .toArray(Meeting[]::new);
  }

  /** Returns whether a filter stays as it is. */
  public boolean isReading() {
    return !CHANGES.contains(this);
  }

  /** Performs the operation for some time, and returns its result, which has an equals method. */
  public Object result(Parties parties, int time) {
    try {
      return switch (this) {
        case PLAN -> {
          var plan = parties.subject.provider().plan(parties.spec);
          yield List.of(plan.spec(), plan.sizeInBits(), plan.probes(), plan.falsePositiveRate(100));
        }
        case CREATE -> content(parties.subject.provider().create(parties.spec, ThreadMode.SHARED));
        case READ ->
            content(
                parties
                    .subject
                    .provider()
                    .read(
                        parties.spec,
                        parties.filter.layout(),
                        new Payload((long) Long.BYTES * parties.words.length, parties.words),
                        ThreadMode.SHARED,
                        FilterLimits.HEAP));
        case MAP ->
            hits(
                parties
                    .subject
                    .provider()
                    .map(parties.spec, parties.filter.layout(), new MappedWords(parties.words, 64)),
                parties.put);
        case CHECK -> {
          parties
              .subject
              .provider()
              .check(parties.spec, parties.filter.layout(), new MappedWords(parties.words, 64));
          yield "";
        }
        case WRITE -> content(parties.filter);
        case COPY -> content(parties.filter.copy());
        case STATISTICS -> parties.filter.stats();
        case DESCRIBE -> parties.filter.description() + Subject.text(parties.filter);
        case SELECT -> hits(parties.filter, parties.put);
        case QUERY -> Arrays.stream(parties.put).mapToObj(parties.filter::mightContain).toList();
        default -> {
          Filter changed = parties.changed.get(time);
          change(changed, parties);
          yield content(changed);
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void change(Filter filter, Parties parties) {
    switch (this) {
      case PUT -> Subject.put(filter, parties.put);
      case PUT_ALL -> filter.putAll(parties.put, 0, parties.put.length);
      case MERGE -> ((MergeableFilter) filter).putAll(parties.filter);
      case REMOVE_ALL -> ((RemovableFilter) filter).removeAll(parties.put, 0, parties.put.length);
      default -> filter.clear();
    }
  }

  private static List<Object> content(Filter filter) {
    return List.of(filter.spec(), LongBuffer.wrap(Payload.of(filter).words()));
  }

  private static IntBuffer hits(FilterView view, long[] hashes) {
    int[] hits = new int[hashes.length];
    int count = view.select(hashes, 0, hashes.length, hits);
    return IntBuffer.wrap(hits, 0, count);
  }
}
