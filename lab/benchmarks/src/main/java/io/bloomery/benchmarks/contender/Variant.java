package io.bloomery.benchmarks.contender;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.benchmarks.paired.Action;
import io.bloomery.benchmarks.paired.FilterOperation;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A variant of Bloomery, created from a short text such as {@code "standard"}, {@code "standard
 * confined"}, {@code "standard vector"}, which has passed the {@linkplain VectorTrial trial}, or
 * {@code "scalable 1/63"}, whose fraction is the part of the keys that it is created for.
 */
final class Variant {

  private final String name;
  private final ThreadMode mode;
  private final long part;
  private boolean tried;
  private FilterPlan plan;
  private Filter other;
  private byte[] bytes;

  Variant(String text) {
    String[] words = text.split(" ", -1);
    this.name = words[0];
    boolean confined = false;
    boolean vector = false;
    long part = 1;
    for (int i = 1; i < words.length; i++) {
      if (words[i].equals("confined")) {
        confined = true;
      } else if (words[i].equals("vector")) {
        vector = true;
      } else {
        part = Long.parseLong(words[i].substring("1/".length()));
      }
    }
    this.mode = confined ? ThreadMode.CONFINED : ThreadMode.SHARED;
    this.part = part;
    this.tried = !vector;
  }

  <K> BloomFilter<K> create(Filters<K> filters, long keys, double rate) {
    other = null;
    bytes = null;
    FilterBuilder<K> asked = filters.expect(Math.max(1, keys / part)).variant(name).fpp(rate);
    plan = asked.plan();
    if (!tried) {
      long[] hashes = VectorTrial.hashes();
      Filter half = asked.create().filter();
      half.putAll(hashes, 0, hashes.length / 2);
      VectorTrial.pass(half, hashes);
      tried = true;
    }
    return (mode == ThreadMode.CONFINED ? asked.confined() : asked).create();
  }

  static Set<Action> actions(Filter filter) {
    return filter instanceof RemovableFilter
        ? EnumSet.allOf(Action.class)
        : EnumSet.complementOf(EnumSet.of(Action.PUT_AND_REMOVE));
  }

  static Set<FilterOperation> filterOperations(Filter filter) {
    return filter instanceof MergeableFilter
        ? EnumSet.allOf(FilterOperation.class)
        : EnumSet.of(FilterOperation.SAVE, FilterOperation.OPEN);
  }

  void prepare(FilterOperation operation, Filter filter) throws IOException {
    if (operation == FilterOperation.MERGE) {
      // Into a new copy each time: repeatedly added counts would overflow.
      other = filter.copy();
    } else if (operation == FilterOperation.OPEN) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FilterFiles.write(filter, out);
      bytes = out.toByteArray();
    }
  }

  void run(FilterOperation operation, Filter filter) throws IOException {
    switch (operation) {
      case MERGE -> ((MergeableFilter) other).putAll(filter);
      case SAVE -> FilterFiles.write(filter, OutputStream.nullOutputStream());
      case OPEN ->
          other =
              Bloomery.installed()
                  .files()
                  .read(new ByteArrayInputStream(bytes), OpenOptions.of(mode));
    }
  }

  OptionalDouble plannedRate(long keys) {
    return OptionalDouble.of(plan.falsePositiveRate(keys));
  }

  static long sizeInBits(Filter filter) {
    return filter.payloadSize() * Byte.SIZE;
  }
}
