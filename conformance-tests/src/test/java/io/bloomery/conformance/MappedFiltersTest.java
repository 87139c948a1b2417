package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Filters of every variant, asked in their files. What is not about files, rule R76 checks. */
class MappedFiltersTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  @Provide
  Arbitrary<FilterProvider> variants() {
    return Arbitraries.of(BLOOMERY.providers().all());
  }

  private static Filter filled(FilterProvider provider, int expected, double rate, long... put) {
    Filter filter = provider.create(spec(provider, expected, rate), ThreadMode.SHARED);
    filter.putAll(put, 0, put.length);
    for (int i = 0; i < put.length; i += 7) {
      for (int times = 0; times < i % 11; times++) {
        filter.put(put[i]);
      }
    }
    return filter;
  }

  /** Not every variant takes rates as low as those drawn. */
  private static FilterSpec spec(FilterProvider provider, int expected, double rate) {
    FilterSpec drawn = FilterSpec.of(expected, rate);
    try {
      provider.plan(drawn);
      return drawn;
    } catch (IllegalArgumentException e) {
      return FilterSpec.of(expected, Math.max(0.001, rate));
    }
  }

  private static void assertSameAnswers(Filter filter, FilterView view, long[] hashes) {
    for (long hash : hashes) {
      assertEquals(filter.mightContain(hash), view.mightContain(hash), () -> "hash " + hash);
    }
    int from = hashes.length / 5;
    int[] expected = new int[hashes.length];
    int[] found = new int[hashes.length];
    int count = filter.select(hashes, from, hashes.length, expected);
    assertEquals(count, view.select(hashes, from, hashes.length, found));
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(found, count));
    assertEquals(filter.stats(), view.stats());
  }

  @Property(tries = 300)
  void aMappedFilterAnswersAsTheOneInMemory(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 3_000) int expected,
      @ForAll @IntRange(max = 9_000) int keys,
      @ForAll @IntRange(min = 1, max = 16) int strictness,
      @ForAll long seed)
      throws IOException {
    double rate = Math.pow(2, -strictness);
    SplittableRandom random = new SplittableRandom(seed);
    long[] put = random.longs(keys).toArray();
    Filter filter = filled(provider, expected, rate, put);
    long[] asked = random.longs(2L * keys + 100).toArray();
    for (int i = 0; i < keys; i++) {
      asked[2 * i + random.nextInt(2)] = put[i];
    }
    Path path = Files.createTempFile("mapped", ".bloom");
    try {
      FilterFiles.save(filter, path);
      try (MappedFilter mapped = BLOOMERY.files().map(path)) {
        assertSameAnswers(filter, mapped, asked);
        assertEquals(filter.layout(), mapped.layout());
        mapped.verify();
      }
    } finally {
      Files.delete(path);
    }
  }

  /** Asks the filter in a file for as many hashes as were put, when told to. */
  static final class Asking {

    private Asking() {}

    public static void main(String[] arguments) throws IOException {
      long[] hashes = hashesOfTwoProcesses();
      try (MappedFilter mapped = BLOOMERY.files().map(Path.of(arguments[0]))) {
        System.out.println("mapped");
        if (System.in.read() < 0) {
          return;
        }
        System.out.println(mapped.select(hashes, 0, hashes.length, new int[hashes.length]));
      }
    }
  }

  private static long[] hashesOfTwoProcesses() {
    return new SplittableRandom(3).longs(20_000).toArray();
  }

  /** The other process maps the file, which then is replaced here by an empty filter. */
  @Example
  void twoProcessesMapOneFile() throws Exception {
    Path path = Files.createTempFile("mapped", ".bloom");
    long[] hashes = hashesOfTwoProcesses();
    FilterProvider provider = BLOOMERY.providers().get("standard");
    FilterFiles.save(filled(provider, 20_000, 0.01, hashes), path);
    Process other =
        SmallJvm.of(List.of(), Asking.class, path.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (MappedFilter mapped = BLOOMERY.files().map(path);
        var out = other.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("mapped", out.readLine());
      FilterFiles.save(filled(provider, 10, 0.01), path);
      other.getOutputStream().write('\n');
      other.getOutputStream().flush();
      assertEquals(Integer.toString(hashes.length), out.readLine());
      assertEquals(hashes.length, mapped.select(hashes, 0, hashes.length, new int[hashes.length]));
      assertTrue(other.waitFor(1, TimeUnit.MINUTES));
      assertEquals(0, other.exitValue());
    } finally {
      other.destroyForcibly();
      Files.delete(path);
    }
  }
}
