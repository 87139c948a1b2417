package io.bloomery.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomery.filter.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever the bytes: a filter or a refusal, and no more memory than 64 MB on the way. */
class HostileBytesTest {

  private static final long MOST_BYTES = 64L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static int filtersRead;

  private static List<Golden> small() {
    return Golden.all().stream().filter(golden -> golden.bytes().length <= 2100).toList();
  }

  /** Reads from an array and a stream, asks and writes what was read; returns whether it was. */
  private static boolean survives(ForeignFormat format, byte[] bytes, String what) {
    long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    boolean read = false;
    try {
      ForeignFilter filter = format.read(bytes);
      read = true;
      filter.view(ItemEncoding.bytes()).mightContain(new byte[] {1, 2, 3});
      filter.table().rate();
      filter.table().keys();
      if (++filtersRead % 1_000 == 0) { // keys are drawn for it
        filter.stats();
      }
      filter.layout();
    } catch (FilterFormatException e) {
      assertTrue(e.getMessage().contains(format.id()), e::getMessage);
      assertTrue(e.offset() >= 0 && e.offset() <= bytes.length, e::getMessage);
    }
    try {
      format.read(new ByteArrayInputStream(bytes));
    } catch (FilterFormatException e) {
      assertTrue(e.offset() >= 0, e::getMessage);
    } catch (IOException e) {
      throw new AssertionError(format + ", " + what, e);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(format + ", " + what, e);
    }
    long used = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertTrue(used <= MOST_BYTES, () -> format + ", " + what + ": " + used + " bytes");
    return read;
  }

  @Test
  void aTruncationIsRefused() {
    truncate(DayDraw.random().nextInt(5), 5);
  }

  @Test
  @Tag("nightly")
  void everyTruncationIsRefused() {
    truncate(0, 1);
  }

  private static void truncate(int first, int every) {
    for (Golden golden : small()) {
      for (int length = first; length < golden.bytes().length; length += every) {
        int at = length;
        boolean read =
            survives(
                golden.format(),
                Arrays.copyOf(golden.bytes(), length),
                golden + " cut to " + length);
        boolean endsWithInput =
            (golden.format() == ForeignFormat.PARQUET_BITSET && length > 0 && length % 32 == 0)
                || (golden.format() == ForeignFormat.CASSANDRA_4 && length == 0)
                || (golden.name().startsWith("paimon/")
                    && !golden.name().contains("file")
                    && length > 4)
                || (golden.name().contains("-data") && length >= 1900);
        assertTrue(!read || endsWithInput, () -> golden + " cut to " + at);
      }
    }
  }

  /** A table of zeros is compressed to fewer bytes than the offset of its end. */
  @Test
  void aCompressedFilterIsRefusedAtAnOffsetOfItsFile() throws IOException {
    byte[] bytes = ForeignFormat.DCSO.create(100, 0.01).toBytes();
    for (int length = 0; length < bytes.length; length++) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(packed)) {
        out.write(bytes, 0, length);
      }
      assertFalse(
          survives(ForeignFormat.DCSO_GZIP, packed.toByteArray(), "cut to " + length + ", packed"));
    }
  }

  @Test
  void aSetInJsonIsRefusedWhereItBegins() {
    byte[] bytes = ForeignFormat.BITS_AND_BLOOMS.create(100, 0.01).toBytes();
    for (int length = 0; length < bytes.length - 16; length++) {
      byte[] set = Arrays.copyOfRange(bytes, 16, 16 + length);
      String start = "{\"m\":959,\"k\":7,\"b\":\"";
      byte[] json = (start + Base64.getUrlEncoder().encodeToString(set) + "\"}").getBytes(US_ASCII);
      FilterFormatException refusal =
          assertThrows(
              FilterFormatException.class, () -> ForeignFormat.BITS_AND_BLOOMS_JSON.read(json));
      assertEquals(start.length(), refusal.offset(), refusal::getMessage);
    }
  }

  @Test
  void aFlippedBitIsReadOrRefused() {
    flip(DayDraw.random().nextInt(9), 9);
  }

  @Test
  @Tag("nightly")
  void everyFlippedBitIsReadOrRefused() {
    flip(0, 1);
  }

  private static void flip(int first, int every) {
    for (Golden golden : small()) {
      int header = Math.min(golden.bytes().length, 256);
      for (int bit = first; bit < 8 * header; bit += every) {
        byte[] bytes = golden.bytes().clone();
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        survives(golden.format(), bytes, golden + " with bit " + bit + " flipped");
      }
    }
  }

  @Test
  void aDrawnHeaderIsReadOrRefused() {
    drawHeaders(8_000);
  }

  @Test
  @Tag("nightly")
  void manyDrawnHeadersAreReadOrRefused() {
    drawHeaders(300_000);
  }

  private static void drawHeaders(int count) {
    Random random = DayDraw.random();
    long[] edges = {
      0, 1, -1, 2, 7, 8, 63, 64, 255, 256, 0x7fff, 0x7fffffffL, 0x80000000L, 1L << 40
    };
    Map<ForeignFormat, Golden> one = new EnumMap<>(ForeignFormat.class);
    small().forEach(golden -> one.putIfAbsent(golden.format(), golden));
    List<ForeignFormat> formats = List.of(ForeignFormat.values());
    for (int i = 0; i < count; i++) {
      ForeignFormat format = formats.get(i % formats.size());
      Golden golden = one.get(format);
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      if (random.nextInt(4) > 0) {
        bytes = golden == null ? format.create(100, 0.01).toBytes() : golden.bytes().clone();
      }
      for (int j = random.nextInt(4); j >= 0 && bytes.length > 0; j--) {
        long value = random.nextBoolean() ? edges[random.nextInt(edges.length)] : random.nextLong();
        int at = random.nextInt(Math.min(bytes.length, 80));
        int size = 1 << random.nextInt(4);
        boolean bigEndian = random.nextBoolean();
        for (int k = 0; k < size && at + k < bytes.length; k++) {
          bytes[at + k] = (byte) (value >>> (8 * (bigEndian ? size - 1 - k : k)));
        }
      }
      survives(format, bytes, "drawn " + i);
    }
  }

  @Test
  void damagedGoldenFilesAreRefusedUnlessNothingCouldTell() throws IOException {
    // What no reader can tell from a filter: bits of the table, numbers that fit, whole labels.
    List<String> undetectable =
        List.of(
            "bitflip",
            "relabelled",
            "m-plus1",
            "new-read-as-old",
            "bloomk-read-as-bloom",
            "flags-high-bits",
            "data-chunked-7",
            "chain-one-chunk",
            "bpe-and-hashes-lowered",
            "k-minus1");
    List<String> wrong = new ArrayList<>();
    int files = 0;
    for (String folder :
        List.of(
            "guava",
            "spark",
            "cassandra4",
            "cassandra5",
            "parquet",
            "datasketches",
            "hive26",
            "hive42",
            "orc",
            "bits-and-blooms",
            "redisbloom",
            "dcso")) {
      Map<String, Object> manifest = GoldenKeys.json(folder + "/manifest.json");
      for (Object each : (List<?>) manifest.get("corrupt")) {
        Map<?, ?> file = (Map<?, ?>) each;
        String name =
            String.valueOf(file.containsKey("file") ? file.get("file") : file.get("header"));
        byte[] bytes = Golden.bytes(folder, file);
        boolean read = survives(Golden.format(folder, name), bytes, folder + "/" + name);
        if (read != undetectable.stream().anyMatch(name::contains)) {
          wrong.add(folder + "/" + name + (read ? " is read" : " is refused"));
        }
        files++;
      }
    }
    System.out.println(files + " damaged files");
    assertEquals(List.of(), wrong);
  }

  @Test
  void aTableBeyondTheCallersLimitIsRefused() throws IOException {
    byte[] bytes = ForeignFormat.GUAVA.create(1000, 0.01).toBytes();
    int table = bytes.length - 6;
    ForeignFormat.GUAVA.read(new ByteArrayInputStream(bytes), table);
    FilterFormatException refusal =
        assertThrows(
            FilterFormatException.class,
            () -> ForeignFormat.GUAVA.read(new ByteArrayInputStream(bytes), table - 1));
    assertTrue(refusal.getMessage().contains("at most"), refusal::getMessage);
  }
}
