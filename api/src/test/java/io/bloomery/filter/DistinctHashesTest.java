package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

class DistinctHashesTest {

  private Path folder;

  @BeforeProperty
  void createFolder() throws Exception {
    folder = Files.createTempDirectory("hashes");
  }

  @AfterProperty
  void deleteFolder() throws Exception {
    Files.delete(folder); // which must be empty
  }

  /** Returns a provider that needs some bytes, and keeps the hashes that it is given. */
  private static StaticFilterProvider keeping(List<Long> given, long bytes) {
    return (StaticFilterProvider)
        Proxy.newProxyInstance(
            StaticFilterProvider.class.getClassLoader(),
            new Class<?>[] {StaticFilterProvider.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("bytesToBuild")) {
                return bytes;
              }
              ((LongStream) arguments[1]).forEach(given::add);
              return null;
            });
  }

  @Property(seed = "1", tries = 150)
  void eachHashIsCountedAndGivenOnce(
      @ForAll @IntRange(min = 1, max = 60_000) int bytes,
      @ForAll @IntRange(min = 0, max = 20_000) int building,
      @ForAll @IntRange(min = 1, max = 12) int rounds,
      @ForAll @IntRange(min = 1, max = 40) int kinds,
      @ForAll long draw) {
    SplittableRandom random = new SplittableRandom(draw);
    Set<Long> all = new HashSet<>();
    List<Long> given = new ArrayList<>();
    FilterSpec spec = FilterSpec.of(1, 0.1);
    long enough = bytes + building + 100_000;
    try (DistinctHashes hashes =
        random.nextInt(8) == 0
            ? DistinctHashes.onHeap()
            : DistinctHashes.within(random.nextBoolean() ? enough : bytes, folder)) {
      for (int round = 0; round < rounds; round++) {
        // Of one kind in ten, hashes of few high bits, which are one slice of the file.
        long mask = random.nextInt(10) == 0 ? 0xfffffL : -1L;
        long[] some =
            random.longs(random.nextInt(3_000)).map(hash -> (hash & mask) / kinds).toArray();
        if (random.nextBoolean()) {
          hashes.add(some, 0, some.length);
        } else {
          hashes.addAll(LongStream.concat(LongStream.of(some), LongStream.of(some)).parallel());
        }
        LongStream.of(some).forEach(all::add);
        if (random.nextInt(3) == 0) {
          assertEquals(all.size(), hashes.count());
        }
      }
      assertEquals(all.size(), hashes.count());
      try {
        StoredFilter unused = hashes.build(keeping(given, building), spec, FilterLimits.HEAP);
        assertEquals(all, new HashSet<>(given));
        assertEquals(all.size(), given.size());
      } catch (IllegalArgumentException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("is allowed " + bytes), e.getMessage());
      }
      // Where it has no name while it is used; elsewhere, until it is closed.
      assertTrue(File.separatorChar == '\\' || folder.toFile().list().length == 0);
    }
  }

  @Property(seed = "2", tries = 50)
  void aBuildThatNeedsMoreIsRefusedWithWhatItNeeds(
      @ForAll @IntRange(min = 1, max = 1_000_000) int bytes) {
    try (DistinctHashes hashes = DistinctHashes.within(bytes, folder)) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      hashes.build(
                          keeping(new ArrayList<>(), bytes),
                          FilterSpec.of(1, 0.1),
                          FilterLimits.HEAP))
              .getMessage();
      assertTrue(message.contains("is allowed " + bytes), message);
    }
  }
}
