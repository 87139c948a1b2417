package io.bloomery.benchmarks.report;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.fastfilter.Filter;
import org.fastfilter.utils.Hash;
import org.fastfilter.xor.Xor16;
import org.fastfilter.xor.Xor8;
import org.fastfilter.xor.XorFuse8;

/** What filters of a set that never changes take, here and in other libraries. */
final class StaticMemory {

  private static final double[] RATES = {0.01, 0.001, 1e-6};
  private static final int[] KEYS = {10, 1_000, 1_000_000};

  private static final int HEADER_OF_GUAVA = 6;

  private StaticMemory() {}

  /** Returns the table of bits per key, a row for each rate and number of keys. */
  static String table() throws IOException {
    Table table =
        new Table(
            "Rate", "Keys", "fuse", "standard", "Guava", "fastfilter Xor8, Xor16", "XorFuse8");
    // XorFuse8 takes less of 1,000 keys with the seeds of one run in eight.
    Hash.setSeed(2);
    for (double rate : RATES) {
      for (int keys : KEYS) {
        long[] hashes = new SplittableRandom(keys).longs(keys).toArray();
        List<String> row = new ArrayList<>();
        row.add(Memory.percent(rate));
        row.add(Numbers.keys(keys));
        for (String variant : List.of("fuse", "standard")) {
          row.add(perKey(planned(variant, keys, rate), keys));
        }
        row.add(perKey(guava(hashes, rate), keys));
        row.add(
            rate >= 0x1p-8
                ? perKey(Xor8.construct(hashes), keys)
                : rate >= 0x1p-16 ? perKey(Xor16.construct(hashes), keys) : "none");
        row.add(rate >= 0x1p-8 ? perKey(XorFuse8.construct(hashes), keys) : "none");
        table.row(row);
      }
    }
    return table.toString();
  }

  private static long planned(String variant, int keys, double rate) {
    return Bloomery.installed()
        .providers()
        .variant(variant)
        .plan(FilterSpec.of(keys, rate))
        .sizeInBits();
  }

  private static long guava(long[] keys, double rate) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BloomFilter.create(Funnels.longFunnel(), keys.length, rate).writeTo(bytes);
    return (long) (bytes.size() - HEADER_OF_GUAVA) * Byte.SIZE;
  }

  private static String perKey(Filter filter, int keys) {
    return perKey(filter.getBitCount(), keys);
  }

  private static String perKey(long bits, int keys) {
    return String.format(Locale.ROOT, "%.2f", (double) bits / keys);
  }
}
