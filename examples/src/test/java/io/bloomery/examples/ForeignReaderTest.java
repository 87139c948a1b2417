package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.counting.FastCountingProvider;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a reader written from docs/FORMAT.md refuses exactly the files that ours refuses. */
class ForeignReaderTest {

  private static final int MEBIBYTE = 1 << 20;
  private static final int MUTANTS_OF_EACH = 40;
  private static final long[] EVIL = {
    0, 1, -1, 2, 63, 64, 128, 500_000, 990_000, 1L << 31, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
  };

  /** Files that tests have crafted, and whether they can be read. */
  private static final SortedMap<Path, Boolean> CRAFTED = new TreeMap<>();

  @TempDir private static Path crafted;
  @TempDir private Path folder;

  @Test
  void bothReadersRefuseTheSameFiles() throws Exception {
    assumeTrue(PythonReader.isThere(), "needs python3");
    List<Path> files = new ArrayList<>();
    Set<Path> refusedHere = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(21);
    for (GoldenFile golden : GoldenFile.all()) {
      byte[] bytes = golden.bytes();
      for (int i = 0; i < MUTANTS_OF_EACH && bytes.length < MEBIBYTE; i++) {
        Path file = folder.resolve(golden.name() + "-" + i);
        Files.write(file, i == 0 ? bytes : mutant(bytes, random));
        files.add(file);
        if (isRefused(file)) {
          refusedHere.add(file);
        }
      }
    }
    assertEquals(refusedHere, PythonReader.refused(files));
    int refused = refusedHere.size();
    assertTrue(refused > files.size() / 4 && refused < files.size() * 9 / 10, refused + " refused");
  }

  /** What a block of counting that is spilled has: positions, planes and how many of these. */
  @ParameterizedTest(name = "{4}")
  @CsvSource({
    "-1, 1, 0, true, 64 positions that count once do not fit into 32 bits",
    "-1, 2, 0, false, the second of two planes is empty",
    "0xffffffff, 1, 0, false, 32 positions that count once fit",
    "1, 5, 1, false, a count of 32 fits",
    "1, 6, 1, true, a count of 64 does not fit",
    "1, 62, 1, true, the largest count that there can be",
    "1, 63, 1, false, a count that is larger",
    "1, 62, 2, false, a count of what is not present",
  })
  void bothReadersAgreeOnSpilledBlocks(
      String present, int planes, long counted, boolean isRead, String what) throws Exception {
    long[] payload = new long[3 + 2 * planes];
    payload[0] = Long.decode(present);
    payload[2] = 0xffff_ffffL | (long) planes << 32;
    for (int plane = 0; plane < planes; plane++) {
      payload[3 + 2 * plane] = counted;
    }
    SortedMap<String, Long> layout =
        new TreeMap<>(Map.of("bits", 128L, "count-bits", 32L, "probes", 2L));
    check("counting", layout, payload, isRead, what);
  }

  /** What a filter of two parts has, each of 4 cells and a word. */
  @ParameterizedTest(name = "{6}")
  @CsvSource({
    "2, 7, 3, 7, 1, true, hashes in both parts",
    "2, 7, 3, 0, 0, true, hashes in the first part alone",
    "2, 0, 0, 0, 0, true, no hashes",
    "2, 7, 3, 7, 0, false, cells without hashes in the second part",
    "2, 0x10000000, 3, 7, 1, false, a bit behind the last cell of the first part",
    "2, 7, 3, 0x10000000, 1, false, a bit behind the last cell of the second part",
    "2, 7, 5, 7, 1, false, more hashes than cells in the first part",
    "1, 7, 3, 7, 1, false, a layout that names one part",
    "3, 7, 3, 7, 1, false, a layout of three parts",
  })
  void bothReadersAgreeOnParts(
      long parts,
      String first,
      long firstTail,
      String second,
      long tail,
      boolean isRead,
      String what)
      throws Exception {
    long[] payload = {Long.decode(first), firstTail, Long.decode(second), tail};
    SortedMap<String, Long> layout =
        new TreeMap<>(Map.of("parts", parts, "segment", 1L, "segments", 4L, "width", 7L));
    check("fuse", layout, payload, isRead, what);
  }

  /**
   * What a block of {@link FastCountingProvider} has: who is present and who twice in a word, and
   * its list.
   */
  @ParameterizedTest(name = "{5}")
  @CsvSource({
    "-1, -1, 0x40608080, 0, true, 64 positions that count twice and four entries of them",
    "7, 6, 0x20000081, 0, true, entries of positions 1 and 1",
    "7, 6, 0x20000101, 0, true, entries of positions 1 and 2",
    "7, 6, 0x20000082, 0, false, entries that do not ascend",
    "7, 6, 0x10000101, 0, false, an entry behind their number",
    "7, 6, 0x10000000, 0, false, an entry of a position that counts once",
    "7, 6, 0x10000045, 0, false, an entry of a position that is absent",
    "7, 6, 0x50000000, 0, false, five entries",
    "7, 8, 0, 0, false, twice but not present",
    "7, -1, 0x80000003, 4, true, a count of 8 does not fit",
    "7, -1, 0x80000003, 6, true, two counts of 8 do not fit",
    "7, 6, 0x80000003, 6, false, a spilled block that says who is there twice",
    "7, -1, 0x80000000, 0, false, no planes",
    "7, -1, 0xbf000003, 6, false, more planes than there can be",
  })
  void bothReadersAgreeOnLists(
      String present, String twice, String list, long counted, boolean isRead, String what)
      throws Exception {
    int planes = counted == 0 ? 0 : 3;
    long[] payload = new long[5 + 2 * planes];
    payload[0] = Long.decode(present);
    payload[2] = Long.decode(twice);
    payload[3] = payload[2] == -1 ? -1 : 0; // as in a spilled block
    payload[1] = payload[0] == -1 ? -1 : 0;
    payload[4] = Long.decode(list);
    for (int plane = 0; plane < planes; plane++) {
      payload[5 + 2 * plane] = counted;
    }
    SortedMap<String, Long> layout =
        new TreeMap<>(Map.of("bits", 128L, "count-bits", 80L, "probes", 2L));
    check(new FastCountingProvider().variant(), layout, payload, isRead, what);
  }

  /** Asks one reader, and leaves the file to the other, which is started once for all of them. */
  private static void check(
      String variant, SortedMap<String, Long> layout, long[] payload, boolean isRead, String what)
      throws IOException {
    Path file = crafted.resolve(CRAFTED.size() + " " + what);
    Files.write(file, CraftedFile.of(variant, FilterSpec.of(9, 0.1), layout, payload));
    assertEquals(!isRead, isRefused(file), what);
    CRAFTED.put(file, isRead);
  }

  @AfterAll
  static void theOtherReaderAgreesOnCraftedFiles() throws Exception {
    if (PythonReader.isThere()) {
      Set<Path> refused = new TreeSet<>(CRAFTED.keySet());
      refused.removeIf(CRAFTED::get);
      assertEquals(refused, PythonReader.refused(CRAFTED.keySet()));
    }
  }

  /** Keys are asked of filters whose ids look like those of the page, and are not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "xxh3-64/i64",
        "xxh3-64/utf8/",
        "xxh3-64/utf8/seed=",
        "xxh3-64/utf8/seed=+007",
        "xxh3-64/(utf8",
        "xxh3-64/text",
        "xxh3-64",
        "splitmix64/utf8",
        "splitmix64/i64/seed=1",
        "siphash-2-4/utf8",
        "XXH3-64/utf8"
      })
  void theOtherReaderRefusesKeysOfHashIdsThatThePageDoesNotHave(String id) throws Exception {
    assumeTrue(PythonReader.isThere(), "needs python3");
    Path file = folder.resolve("other.bloom");
    SortedMap<String, Long> layout = new TreeMap<>(Map.of("bits", 64L, "probes", 1L));
    Files.write(file, CraftedFile.of("standard", FilterSpec.of(5, 0.1, id), layout, -1));
    assertEquals(Set.of(), PythonReader.refused(List.of(file)), "it can be read all the same");
    Process python = PythonReader.start("check", List.of(file, "1"));
    assertEquals("bloomery.py: ", PythonReader.output(python).substring(0, 13), id);
    assertEquals(2, python.waitFor(), id);
  }

  /** Filters of every variant, from nearly empty to overfull, with counts up to 12. */
  @Test
  void bothReadersGiveTheSameAnswersCountsAndPositions() throws Exception {
    assumeTrue(PythonReader.isThere(), "needs python3");
    SplittableRandom random = new SplittableRandom(30);
    List<VariantProvider> providers = new ArrayList<>(Bloomery.installed().providers().all());
    // Counts are the most intricate of what is read.
    providers.addAll(providers.stream().filter(ForeignReaderTest::counts).toList());
    providers.addAll(Bloomery.installed().providers().allStatic());
    List<Path> pairs = new ArrayList<>();
    for (int i = 0; i < 10 * providers.size(); i++) {
      VariantProvider provider = providers.get(i % providers.size());
      int expected = random.nextInt(1, 120);
      // Not every variant that counts takes lower rates.
      double rate = Math.pow(10, -random.nextDouble(0.2, counts(provider) ? 3.5 : 4));
      int put = random.nextInt((provider instanceof FilterProvider ? 3 : 1) * expected);
      GoldenFile drawn =
          new GoldenFile(
              i + "", provider.variant(), "splitmix64/i64", expected, rate, put, Map.of());
      pairs.add(Files.write(folder.resolve(i + ".bloom"), drawn.bytes()));
      pairs.add(Files.writeString(folder.resolve(i + ".tsv"), drawn.table()));
    }
    Process python = PythonReader.start("compare", pairs);
    String said = PythonReader.output(python);
    assertEquals(0, python.waitFor(), said);
  }

  private static boolean counts(VariantProvider provider) {
    return RemovableFilter.class.isAssignableFrom(provider.filterType());
  }

  private static boolean isRefused(Path file) throws IOException {
    try {
      Bloomery.installed().files().openView(file, OpenOptions.confined());
      return false;
    } catch (FilterFormatException | UnexpectedFilterException e) {
      return true;
    }
  }

  /** Changes header or content, and makes the checksums right again. */
  private static byte[] mutant(byte[] bytes, SplittableRandom random) {
    byte[] changed = bytes.clone();
    ByteBuffer file = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
    int header = file.getShort(10);
    int payload = (int) file.getLong(16);
    for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
      if (payload == 0 || random.nextInt(3) > 0) {
        changeHeader(file, header, random);
      } else {
        changeContent(file, header, payload, random);
      }
    }
    CraftedFile.mendChecksums(changed);
    return changed;
  }

  private static void changeHeader(ByteBuffer file, int header, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> file.putLong(24, EVIL[random.nextInt(EVIL.length)]);
      case 1 -> {
        double[] rates = {0, 1, -0.0, Double.NaN, 0x1p-63, 1e-18, 0.5, Math.nextDown(1.0)};
        file.putDouble(32, rates[random.nextInt(rates.length)]);
      }
      default -> {
        int at = 40 + random.nextInt(header - 44);
        file.put(at, (byte) (file.get(at) ^ 1 << random.nextInt(8)));
      }
    }
  }

  private static void changeContent(
      ByteBuffer file, int header, int payload, SplittableRandom random) {
    int words = payload / Long.BYTES;
    // The first words and the last say most.
    int word =
        switch (random.nextInt(3)) {
          case 0 -> random.nextInt(Math.min(words, 16));
          case 1 -> words - 1 - random.nextInt(Math.min(words, 16));
          default -> random.nextInt(words);
        };
    int at = header + Long.BYTES * word;
    switch (random.nextInt(3)) {
      case 0 -> file.putLong(at, EVIL[random.nextInt(EVIL.length)]);
      case 1 -> file.putLong(at, file.getLong(at) + (random.nextInt(5) - 2));
      default -> file.putLong(at, file.getLong(at) ^ 1L << random.nextInt(64));
    }
  }
}
