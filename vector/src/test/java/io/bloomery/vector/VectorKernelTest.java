package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.partitioned.SplitBlockKernel;
import io.bloomery.partitioned.SplitBlockProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class VectorKernelTest {

  private static final int WORDS = 4;
  private static final long REMIX = 0x9E3779B97F4A7C15L;

  private final SplitBlockKernel plain = SplitBlockKernel.plain();
  private final SplitBlockKernel vector = new VectorKernel();

  @Test
  void filtersOfThisJvmUseIt() {
    assertInstanceOf(VectorKernel.class, SplitBlockKernel.installed());
  }

  @Test
  void moduleDescriptorAndServiceFileNameTheSameProvider() throws IOException {
    String service = SplitBlockKernel.class.getName();
    List<String> provided =
        descriptor().provides().stream()
            .filter(provides -> provides.service().equals(service))
            .flatMap(provides -> provides.providers().stream())
            .toList();
    assertEquals(List.of(VectorKernel.class.getName()), provided);
    try (InputStream in = resource("META-INF/services/" + service)) {
      String file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(provided, file.lines().toList());
    }
  }

  private static ModuleDescriptor descriptor() throws IOException {
    try (InputStream in = resource("module-info.class")) {
      return ModuleDescriptor.read(in);
    }
  }

  private static InputStream resource(String name) throws IOException {
    return VectorKernel.class.getModule().isNamed()
        ? VectorKernel.class.getModule().getResourceAsStream(name)
        : VectorKernel.class.getClassLoader().getResourceAsStream(name);
  }

  // Words of few bits and of many, so that both answers are common.
  @Property(seed = "71", tries = 1_000)
  void answersAndWritesAsPlainJavaDoes(
      @ForAll @IntRange(min = 1, max = 50) int blocks,
      @ForAll @IntRange(max = 200) int fillings,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = new long[WORDS * blocks];
    for (int i = 0; i < fillings; i++) {
      Arrays.setAll(words, j -> words[j] | 1L << random.nextInt(64));
    }
    long[] same = words.clone();
    for (int i = 0; i < 100; i++) {
      int first = WORDS * random.nextInt(blocks);
      long pattern = random.nextLong();
      assertEquals(plain.test(words, first, pattern), vector.test(words, first, pattern));
      if (i % 2 == 0) {
        assertEquals(plain.put(words, first, pattern), vector.put(same, first, pattern));
        assertArrayEquals(words, same);
        assertEquals(1, vector.test(words, first, pattern));
      }
    }
  }

  @Property(seed = "72", tries = 1_000)
  void everyBitOfAKeyCountsAndNoOther(@ForAll long hash) {
    long[] bits = new SplitBlockProvider().positions(hash, 256, 8).orElseThrow();
    long[] words = new long[WORDS];
    assertTrue(vector.put(words, 0, hash * REMIX));
    assertFalse(vector.put(words, 0, hash * REMIX));
    long[] expected = new long[WORDS];
    Set<Long> distinct = new HashSet<>();
    for (long bit : bits) {
      expected[(int) bit / 64] |= 1L << bit;
      distinct.add(bit);
    }
    assertArrayEquals(expected, words);
    for (long bit : distinct) {
      long[] without = {~0L, ~0L, ~0L, ~0L};
      without[(int) bit / 64] &= ~(1L << bit);
      assertEquals(0, vector.test(without, 0, hash * REMIX));
      assertTrue(vector.put(without, 0, hash * REMIX));
      assertArrayEquals(new long[] {~0L, ~0L, ~0L, ~0L}, without);
    }
  }
}
