package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.PayloadOutput;
import io.bloomery.ThreadMode;
import io.bloomery.conformance.ConformanceReport.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that were made up, read where there is no memory to waste: in a JVM of 64 MB. */
@Tag("small-heap")
class SmallHeapTest {

  private static final List<Rule> RULES =
      List.of(Rule.R23, Rule.R35, Rule.R36, Rule.R37, Rule.R38, Rule.R65);

  private static final String BITS = "bits";

  @Test
  void theHeapIsSmall() {
    long heap = Runtime.getRuntime().maxMemory();
    assertTrue(heap <= 64 << 20, () -> "the heap has " + heap + " bytes; see the pom");
  }

  @TestFactory
  Stream<DynamicTest> everyVariantRefusesWhatWasMadeUp() {
    return Bloomery.installed().providers().stream()
        .map(
            provider ->
                dynamicTest(
                    provider.variant(),
                    () -> {
                      ConformanceReport report = new ConformanceRunner().rules(RULES).run(provider);
                      assertEquals(Verdict.PASS, report.verdict(), report::toString);
                    }));
  }

  /** The bytes are there, and their checksums right, but there is no room for them. */
  @TestFactory
  Stream<DynamicTest> everyVariantOfOneTableRefusesAFileThatDoesNotFit(@TempDir Path folder) {
    return Bloomery.installed().providers().stream()
        .filter(provider -> small(provider).layout().containsKey(BITS))
        .map(provider -> dynamicTest(provider.variant(), () -> checkLarge(provider, folder)));
  }

  private static Filter small(FilterProvider provider) {
    return provider.create(new FilterSpec(100, 0.01), ThreadMode.SHARED);
  }

  private static void checkLarge(FilterProvider provider, Path folder) throws IOException {
    // One that just fits would leave nothing for the test's own threads. With this, what is to be
    // refused is larger than what is left, in any JVM.
    byte[] held = new byte[8 << 20];
    try {
      for (int mebibytes : new int[] {8, 16, 57, 62, 63, 64, 65, 100}) {
        checkLarge(provider, folder.resolve(provider.variant()), mebibytes);
      }
    } finally {
      Reference.reachabilityFence(held);
    }
  }

  private static void checkLarge(FilterProvider provider, Path path, int mebibytes)
      throws IOException {
    Bloomery bloomery = Bloomery.with(provider);
    Filter small = small(provider);
    Bloomery.save(new Blown(small, ((long) mebibytes << 20) / small.payloadSize()), path);
    int opened = 0;
    try {
      opened += bloomery.open(path, ThreadMode.SHARED).payloadSize() > 0 ? 1 : 0;
    } catch (FilterFormatException e) {
      assertTrue(e.getMessage().contains("but the heap is limited to"), e::getMessage);
    }
    try (InputStream in = Files.newInputStream(path)) {
      opened += bloomery.read(in, ThreadMode.SHARED).payloadSize() > 0 ? 1 : 0;
    } catch (FilterFormatException e) {
      assertTrue(e.getMessage().contains("but the heap is limited to"), e::getMessage);
    }
    assertTrue(mebibytes > 16 || opened == 2, mebibytes + " MiB must be read");
    assertTrue(mebibytes < 57 || opened == 0, mebibytes + " MiB must be refused");
  }

  /** A stream does not say how long it is, so that twice the room is needed, and is not there. */
  @Test
  void aStreamThatDoesNotFitIsRefusedBeforeItIsRead(@TempDir Path folder) throws IOException {
    FilterProvider standard =
        Bloomery.installed().providers().stream()
            .filter(provider -> provider.variant().equals("standard"))
            .findFirst()
            .orElseThrow();
    Filter small = small(standard);
    Path path = folder.resolve("file");
    Bloomery.save(new Blown(small, (36L << 20) / small.payloadSize()), path);
    assertTrue(Bloomery.with(standard).open(path, ThreadMode.SHARED).payloadSize() > 35 << 20);
    try (InputStream in = Files.newInputStream(path)) {
      FilterFormatException refused =
          assertThrows(
              FilterFormatException.class,
              () -> Bloomery.with(standard).read(in, ThreadMode.SHARED));
      assertTrue(refused.getMessage().contains("open the file itself"), refused::getMessage);
      assertTrue(in.available() > 35 << 20, in.available() + " bytes are left");
    }
  }

  /** A filter that is written as an empty one so many times as large. */
  private record Blown(Filter small, long factor) implements Filter {

    @Override
    public Map<String, Long> layout() {
      Map<String, Long> layout = new HashMap<>(small.layout());
      layout.computeIfPresent(BITS, (name, bits) -> bits * factor);
      return layout;
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

    @Override
    public FilterSpec spec() {
      return small.spec();
    }

    @Override
    public String variant() {
      return small.variant();
    }

    @Override
    public FilterStats stats() {
      return small.stats();
    }

    @Override
    public boolean put(long hash) {
      return small.put(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return small.mightContain(hash);
    }

    @Override
    public Filter copy() {
      return small.copy();
    }

    @Override
    public void clear() {
      small.clear();
    }
  }
}
