package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.junit.jupiter.api.function.Executable;

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
    long enough = 100_000L + bytes + building;
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

  @Property(seed = "3", tries = 30)
  void aCountLosesNothingThatOthersAddMeanwhile(
      @ForAll @IntRange(min = 2, max = 4) int threads,
      @ForAll @IntRange(min = 1, max = 40_000) int each,
      @ForAll boolean isOnHeap)
      throws Exception {
    try (DistinctHashes hashes =
        isOnHeap ? DistinctHashes.onHeap() : DistinctHashes.within(20_000, folder)) {
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      List<Thread> adding = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        long first = (long) thread * each;
        Thread one =
            new Thread(() -> hashes.addAll(LongStream.range(first, first + each)), "adding");
        one.setUncaughtExceptionHandler((ended, e) -> failures.add(e));
        one.start();
        adding.add(one);
      }
      long before = 0;
      for (Thread one : adding) {
        while (one.isAlive()) {
          long count = hashes.count();
          assertTrue(count >= before, count + " after " + before);
          before = count;
          one.join(1); // without a pause, counts keep those who add from the lock
        }
      }
      assertEquals(List.of(), failures);
      assertEquals((long) threads * each, hashes.count());
    }
  }

  @SuppressWarnings("try") // closes
  @Property(seed = "4", tries = 20)
  void nothingIsAddedOrCountedAfterTheEnd(
      @ForAll boolean isOnHeap,
      @ForAll boolean isBuilt,
      @ForAll @IntRange(min = 0, max = 5_000) int count) {
    FilterSpec spec = FilterSpec.of(1, 0.1);
    StaticFilterProvider provider = keeping(new ArrayList<>(), 0);
    try (DistinctHashes hashes =
        isOnHeap ? DistinctHashes.onHeap() : DistinctHashes.within(100_000, folder)) {
      hashes.addAll(LongStream.range(0, count));
      if (isBuilt) {
        StoredFilter unused = hashes.build(provider, spec, FilterLimits.HEAP);
      } else {
        hashes.close();
      }
      String end = isBuilt ? "have been built" : "have been closed";
      for (Executable call :
          List.<Executable>of(
              () -> hashes.add(new long[1], 0, 1),
              () -> hashes.addAll(LongStream.of(1)),
              hashes::count,
              () -> hashes.bytesToBuild(provider, spec),
              () -> hashes.build(provider, spec, FilterLimits.HEAP))) {
        String message = assertThrows(IllegalStateException.class, call).getMessage();
        assertTrue(message.contains(end), message);
      }
    }
  }

  @Property(seed = "5", tries = 50)
  void ofARangeThatIsNoneNothingIsAdded(
      @ForAll @IntRange(min = 0, max = 9) int length,
      @ForAll @IntRange(min = -2, max = 12) int from,
      @ForAll @IntRange(min = -2, max = 12) int to) {
    Assume.that(from < 0 || from > to || to > length);
    long[] some = LongStream.range(0, length).toArray();
    try (DistinctHashes hashes = DistinctHashes.onHeap()) {
      assertThrows(IndexOutOfBoundsException.class, () -> hashes.add(some, from, to));
      assertEquals(0, hashes.count());
    }
  }

  @Example
  void aFolderOfAnotherFileSystemIsRefused() throws Exception {
    Path zip = folder.resolve("some.zip");
    try (FileSystem other = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      String message =
          assertThrows(
                  IllegalArgumentException.class, () -> DistinctHashes.check(1, other.getPath("/")))
              .getMessage();
      assertTrue(message.contains("must be of the default file system"), message);
    }
    Files.deleteIfExists(zip);
  }
}
