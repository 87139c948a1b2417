package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.broken.ForwardingFilter;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.run.Tier;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.SerializableFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What a JVM of 64 MB checks, for {@link SmallHeapTest}. */
enum SmallHeapCheck {
  MADE_UP {
    @Override
    void of(FilterProvider provider, Path path) {
      // More inputs come in such a JVM from HostileCampaignTest.
      ConformanceReport report =
          new ConformanceRunner().tier(Tier.SMOKE).rules(RULES).run(provider);
      assertEquals(Verdict.PASS, report.verdict(), report::toString);
    }
  },

  TOO_LARGE {
    @Override
    void of(FilterProvider provider, Path path) throws IOException {
      // With this, what is to be refused is larger than what is left, in any JVM.
      byte[] held = new byte[8 << 20];
      try {
        for (long mebibytes : new long[] {8, 16, 57, 63, 64, 65, 100}) {
          checkLarge(provider, path, mebibytes << 20);
        }
        // Arrays that fill the heap leave no room for anything smaller.
        long left = left();
        for (long lacking = -(3L << 20); lacking <= 1 << 20; lacking += 1 << 19) {
          checkLarge(provider, path, left + lacking);
        }
      } finally {
        Reference.reachabilityFence(held);
      }
    }
  },

  CREATED {
    @Override
    void of(FilterProvider provider, Path path) {
      long left = left();
      for (long lacking = -(6L << 20); lacking <= 1 << 20; lacking += 1 << 18) {
        FilterSpec spec = ofBytes(provider, left + lacking);
        try {
          assertEquals(spec, provider.create(spec, ThreadMode.SHARED).spec());
        } catch (IllegalArgumentException e) {
          assertTrue(e.getMessage().contains("the heap must have room for"), e::getMessage);
        }
      }
    }
  },

  SERIALIZABLE {
    @Override
    void of(FilterProvider provider, Path path) {
      for (long share = 12; share <= 36; share++) { // of 64 MB, by MiB
        SerializableFilter held = null;
        Filter filter = provider.create(ofBytes(provider, share << 20), ThreadMode.SHARED);
        long room = left();
        long bytes = FilterFiles.serializedSize(filter);
        try {
          held = SerializableFilter.of(filter);
          assertSame(filter, held.filter());
        } catch (IllegalArgumentException e) {
          assertTrue(e.getMessage().contains("the heap must have room for"), e::getMessage);
        }
        // Garbage that is not collected in time, and what a check itself needs.
        assertTrue(held != null || room < bytes + (6 << 20), bytes + " bytes in " + room);
      }
    }
  },

  MERGED {
    @Override
    void of(FilterProvider provider, Path path) throws IOException {
      FilterFiles files = Bloomery.with(provider).files();
      long left = left();
      for (long lacking = -(16L << 20); lacking <= 1 << 20; lacking += 2 << 20) {
        saveFilled(provider, (left + lacking) / 2, path);
        try {
          files.merge(path.resolveSibling("merged"), List.of(path, path, path, path));
        } catch (IOException e) {
          assertFalse(e instanceof FilterFormatException, "a file is not bad because it is large");
          assertTrue(e.getMessage().contains(path.toString()), e::getMessage);
        }
      }
    }
  },

  // In two JVMs: one that is out of memory while it unmaps a file ends.
  MAPPED {
    @Override
    void of(FilterProvider provider, Path path) throws IOException {
      checkRefused(provider, path, FilterFiles::map);
    }
  },

  VERIFIED {
    @Override
    void of(FilterProvider provider, Path path) throws IOException {
      checkRefused(provider, path, FilterFiles::verify);
    }
  },

  STREAM {
    @Override
    void of(FilterProvider provider, Path path) throws IOException {
      Filter small = small(provider);
      FilterFiles.save(new Blown(small, (36L << 20) / small.payloadSize()), path);
      assertTrue(Bloomery.with(provider).files().open(path).payloadSize() > 35 << 20);
      try (InputStream in = Files.newInputStream(path)) {
        IOException refused =
            assertThrows(
                IOException.class,
                () -> Bloomery.with(provider).files().read(in, OpenOptions.shared()));
        assertFalse(refused instanceof FilterFormatException, "a stream is not bad because large");
        assertTrue(refused.getMessage().contains("open the file itself"), refused::getMessage);
        assertTrue(in.available() > 35 << 20, in.available() + " bytes are left");
      }
    }
  };

  private static final List<Rule> RULES =
      List.of(Rule.R23, Rule.R35, Rule.R36, Rule.R37, Rule.R38, Rule.R65);

  private static final String BITS = "bits";

  private static final double RATE = 0.01;

  /** Throws if a provider's filters, or files under a path, are not as they should be. */
  abstract void of(FilterProvider provider, Path path) throws IOException;

  /** Does some checks. Arguments: the variant, a path for files, and the names of the checks. */
  public static void main(String[] arguments) throws IOException {
    long heap = Runtime.getRuntime().maxMemory();
    assertTrue(heap <= 64 << 20, () -> "the heap has " + heap + " bytes");
    FilterProvider provider = Bloomery.installed().providers().get(arguments[0]);
    for (String check : Arrays.asList(arguments).subList(2, arguments.length)) {
      System.out.println(check);
      valueOf(check).of(provider, Path.of(arguments[1]));
    }
  }

  /** Returns whether a provider's filters are one table, of a size that stands in their files. */
  static boolean hasOneTable(FilterProvider provider) {
    return small(provider).layout().toMap().containsKey(BITS);
  }

  private static Filter small(FilterProvider provider) {
    return provider.create(FilterSpec.of(110, RATE), ThreadMode.SHARED);
  }

  /** Returns a specification of filters that are planned to have so many bytes. */
  private static FilterSpec ofBytes(FilterProvider provider, long bytes) {
    int tested = 1_000_000;
    double bytesPerKey =
        (double) provider.plan(FilterSpec.of(tested, RATE)).sizeInBits() / Byte.SIZE / tested;
    return FilterSpec.of((long) (bytes / bytesPerKey), RATE);
  }

  /** Saves a filter of so many bytes, with more keys than would fit as higher counts. */
  private static void saveFilled(FilterProvider provider, long bytes, Path path)
      throws IOException {
    Filter filter = provider.create(ofBytes(provider, bytes), ThreadMode.SHARED);
    for (long key = 0; key < 400_000; key++) {
      filter.put(key * 0x9e3779b97f4a7c15L);
    }
    FilterFiles.save(filter, path);
  }

  /** Returns the number of bytes of the heap that nothing uses. */
  private static long left() {
    Runtime runtime = Runtime.getRuntime();
    runtime.gc();
    return runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory());
  }

  private static void checkLarge(FilterProvider provider, Path path, long bytes)
      throws IOException {
    Bloomery bloomery = Bloomery.with(provider);
    Filter small = small(provider);
    FilterFiles.save(new Blown(small, bytes / small.payloadSize()), path);
    int opened = 0;
    try {
      opened += bloomery.files().open(path).payloadSize() > 0 ? 1 : 0;
    } catch (IOException e) {
      assertFalse(e instanceof FilterFormatException, "a file is not bad because it is large");
      assertTrue(e.getMessage().startsWith(path + ": content needs "), e::getMessage);
      assertTrue(
          e.getMessage().endsWith("; give Java more, by -Xmx, or map the file"), e::getMessage);
    }
    try (InputStream in = Files.newInputStream(path)) {
      opened += bloomery.files().read(in, OpenOptions.shared()).payloadSize() > 0 ? 1 : 0;
    } catch (IOException e) {
      assertFalse(e instanceof FilterFormatException, "a file is not bad because it is large");
      assertTrue(e.getMessage().contains("but the heap is limited to"), e::getMessage);
      assertFalse(e.getMessage().contains("map the file"), e::getMessage);
    }
    assertTrue(bytes > 16L << 20 || opened == 2, bytes + " bytes must be read");
    assertTrue(bytes < 57L << 20 || opened == 0, bytes + " bytes must be refused");
  }

  /** Checks that a file that does not fit is refused by a provider that reads files for that. */
  private static void checkRefused(FilterProvider provider, Path path, FileReading reading)
      throws IOException {
    Filter small = small(provider);
    FilterFiles.save(new Blown(small, (62L << 20) / small.payloadSize()), path);
    FilterFiles files = Bloomery.with(new PatchedProvider(provider)).files();
    IOException refused = assertThrows(IOException.class, () -> reading.of(files, path));
    assertTrue(refused.getMessage().contains("but the heap is limited to"), refused::getMessage);
  }

  private interface FileReading {
    void of(FilterFiles files, Path path) throws IOException;
  }

  /** A filter that is written as an empty one so many times as large. */
  private static final class Blown extends ForwardingFilter<Filter> {
    private final Filter small;
    private final long factor;

    Blown(Filter small, long factor) {
      this.small = small;
      this.factor = factor;
    }

    @Override
    protected Filter inner() {
      return small;
    }

    @Override
    public FilterLayout layout() {
      return small.layout().with(BITS, small.layout().get(BITS) * factor);
    }

    @Override
    public long payloadSize() {
      return small.payloadSize() * factor;
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      out.begin(payloadSize());
      long[] clear = new long[(int) (small.payloadSize() / Long.BYTES)];
      for (long i = 0; i < factor; i++) {
        out.writeLongs(clear, 0, clear.length);
      }
    }
  }
}
