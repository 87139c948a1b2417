package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class MembershipTest {

  @Provide
  Arbitrary<FilterProvider> providers() {
    return Arbitraries.of(new PartitionedProvider(), new SplitBlockProvider());
  }

  // From one slice to twenty, and from one block to thousands of them.
  @Provide
  Arbitrary<FilterSpec> specs() {
    return Arbitraries.of(0.9, 0.5, 0.2, 0.1, 0.05, 0.01, 1e-3, 1e-6)
        .flatMap(rate -> Arbitraries.of(1L, 30L, 5_000L).map(keys -> FilterSpec.of(keys, rate)));
  }

  @Provide
  Arbitrary<long[]> hashes() {
    return Arbitraries.longs().array(long[].class).ofMinSize(0).ofMaxSize(150);
  }

  @Property(seed = "51", tries = 500)
  void whatWasPutIsFoundAndPutSaysWhetherItWasThere(
      @ForAll("providers") FilterProvider provider,
      @ForAll("specs") FilterSpec spec,
      @ForAll ThreadMode mode,
      @ForAll("hashes") long[] hashes) {
    Filter filter = provider.create(spec, mode);
    for (long hash : hashes) {
      boolean before = filter.mightContain(hash);
      assertNotEquals(before, filter.put(hash));
      assertTrue(filter.mightContain(hash));
    }
    for (long hash : hashes) {
      assertTrue(filter.mightContain(hash));
    }
  }

  @Property(seed = "52", tries = 500)
  void selectAnswersAsOneQueryAtATimeDoes(
      @ForAll("providers") FilterProvider provider,
      @ForAll("specs") FilterSpec spec,
      @ForAll("hashes") long[] hashes,
      @ForAll long seed) {
    Filter filter = provider.create(spec, ThreadMode.SHARED);
    SplittableRandom random = new SplittableRandom(seed);
    for (long hash : hashes) {
      if (random.nextBoolean()) {
        filter.put(hash);
      }
    }
    int from = random.nextInt(hashes.length + 1);
    int to = from + random.nextInt(hashes.length - from + 1);
    int[] hits = new int[to - from];
    int found = filter.select(hashes, from, to, hits);
    int[] expected = new int[to - from];
    int count = 0;
    for (int i = from; i < to; i++) {
      if (filter.mightContain(hashes[i])) {
        expected[count++] = i;
      }
    }
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
  }

  @Property(seed = "53", tries = 200)
  void sharedConfinedMergedAndReadFiltersHoldTheSameBytes(
      @ForAll("providers") FilterProvider provider,
      @ForAll("specs") FilterSpec spec,
      @ForAll("hashes") long[] hashes)
      throws IOException {
    Filter confined = provider.create(spec, ThreadMode.CONFINED);
    Filter shared = provider.create(spec, ThreadMode.SHARED);
    Filter half = provider.create(spec, ThreadMode.CONFINED);
    Filter otherHalf = provider.create(spec, ThreadMode.SHARED);
    for (int i = 0; i < hashes.length; i++) {
      confined.put(hashes[i]);
      shared.put(hashes[i]);
      (i % 2 == 0 ? half : otherHalf).put(hashes[i]);
    }
    byte[] bytes = bytesOf(confined);
    assertArrayEquals(bytes, bytesOf(shared));
    byte[] otherBytes = bytesOf(otherHalf);
    ((MergeableFilter) half).putAll(otherHalf);
    assertArrayEquals(bytes, bytesOf(half));
    assertArrayEquals(otherBytes, bytesOf(otherHalf));
    ((MergeableFilter) otherHalf).putAll(half);
    assertArrayEquals(bytes, bytesOf(otherHalf));
    Filter read =
        Bloomery.with(provider).files().read(new ByteArrayInputStream(bytes), OpenOptions.shared());
    assertArrayEquals(bytes, bytesOf(read));
    assertEquals(confined.layout(), read.layout());
    assertArrayEquals(bytes, bytesOf(read.copy()));
  }

  private static byte[] bytesOf(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  @Property(seed = "54", tries = 50)
  void theBitsOfAPartitionedKeyLieInEverySliceOnce(
      @ForAll("specs") FilterSpec spec, @ForAll long hash) {
    Filter filter = new PartitionedProvider().create(spec, ThreadMode.CONFINED);
    filter.put(hash);
    int slices = (int) filter.layout().get("probes");
    long sliceBits = filter.layout().get("bits") / 64 / slices * 64;
    // If one of the k bits were in the slice of another, some slice would be empty and the rate 0.
    assertEquals(slices, filter.stats().setBits());
    double rate = Math.pow(1.0 / sliceBits, slices);
    assertEquals(rate, filter.stats().falsePositiveRate(), 1e-12 * rate);
  }

  @Property(seed = "55", tries = 50)
  void aKeySetsSixBitsInTwoWords(@ForAll long hash) {
    List<FilterSpec> sizes = List.of(FilterSpec.of(1, 0.5), FilterSpec.of(10_000, 0.01));
    for (FilterSpec spec : sizes) {
      Filter filter = new SplitBlockProvider().create(spec, ThreadMode.SHARED);
      filter.put(hash);
      assertEquals(6, filter.stats().setBits());
    }
  }

  @Property(seed = "57", tries = 50)
  void aKeySetsFourToEightBitsInFourWords(@ForAll long hash) {
    List<FilterSpec> sizes = List.of(FilterSpec.of(1, 1e-3), FilterSpec.of(10_000, 0.0099));
    for (FilterSpec spec : sizes) {
      Filter filter = new SplitBlockProvider().create(spec, ThreadMode.SHARED);
      filter.put(hash);
      long set = filter.stats().setBits();
      assertTrue(set >= 4 && set <= 8, "set bits " + set);
    }
  }
}
