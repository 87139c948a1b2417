package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.DamagedRegion;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.partitioned.PartitionedProvider;
import io.bloomery.spi.TableProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Merging files, for every variant. */
class MergedFilesTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  @TempDir private Path folder;

  static List<String> variants() {
    return BLOOMERY.providers().all().stream().map(FilterProvider::variant).toList();
  }

  private Filter saved(String variant, long keys, int seed, Path path) throws IOException {
    Filter filter =
        BLOOMERY.providers().get(variant).create(FilterSpec.of(keys, 0.01), ThreadMode.CONFINED);

    new SplittableRandom(seed).longs(keys / 2).forEach(filter::put);
    FilterFiles.save(filter, path);
    return filter;
  }

  @ParameterizedTest
  @MethodSource("variants")
  void filesMergeAsFiltersDoInMemory(String variant) throws IOException {
    Path one = folder.resolve("one");
    Path other = folder.resolve("other");
    Path target = folder.resolve("target");
    for (long keys : new long[] {2, 1_000, 1_000_000}) {
      Filter first = saved(variant, keys, 1, one);
      Filter second = saved(variant, keys, 2, other);
      if (first instanceof MergeableFilter merged) {
        merged.putAll(second);
        BLOOMERY.files().merge(target, List.of(one, other));
        assertArrayEquals(Subject.write(merged), Files.readAllBytes(target));
        assertTrue(BLOOMERY.files().verify(target).isSound());
      } else {
        String message =
            assertThrows(
                    UnexpectedFilterException.class,
                    () -> BLOOMERY.files().merge(target, List.of(one, other)))
                .getMessage();
        assertTrue(message.contains("variant '" + variant + "' does not merge; "), message);
        assertFalse(Files.exists(target));
      }
    }
  }

  @Test
  void theVariantsOfOneTableAreReadSideBySide() {
    for (FilterProvider provider : BLOOMERY.providers().all()) {
      assertEquals(
          provider instanceof TableProvider, isReadSideBySide(provider), provider.variant());
    }
  }

  private static boolean isReadSideBySide(FilterProvider provider) {
    Filter filter = provider.create(FilterSpec.of(100, 0.01), ThreadMode.CONFINED);
    return provider.unionBits(filter.layout(), filter.payloadSize()).isPresent();
  }

  /** What no reader accepts must not come out of a merge, though its checksums match. */
  @Test
  void bitsThatNoFilterSetsAreRefusedInEverySource() throws IOException {
    Path good = folder.resolve("good");
    Path bad = folder.resolve("bad");
    Path target = folder.resolve("target");
    // Seven layers of one word leave two words, which no filter that is planned here has.
    long layers = 7;
    long bits = 9 * Long.SIZE;
    Filter filter =
        new PartitionedProvider()
            .read(
                FilterSpec.of(10, 0.01),
                FilterLayout.of("bits", bits).with("probes", layers),
                new Payload(bits / Byte.SIZE, new long[9]),
                ThreadMode.CONFINED,
                FilterLimits.HEAP);
    filter.put(1);
    FilterFiles.save(filter, good);
    byte[] bytes = Files.readAllBytes(good);
    int header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
    int payload = (int) filter.payloadSize();
    for (long bit = layers * Long.SIZE; bit < bits; bit++) {
      byte[] forged = bytes.clone();
      forged[header + (int) bit / 8] |= (byte) (1 << bit % 8);
      putChecksum(forged, header, payload, header + payload);
      putChecksum(forged, header + payload, bytes.length - 4 - header - payload, bytes.length - 4);
      Files.write(bad, forged);
      // Its checksums are right, and its content is not.
      List<DamagedRegion> damage = BLOOMERY.files().verify(bad).damage();
      assertEquals(List.of(header, header + payload), bounds(damage.get(0)));
      assertThrows(FilterFormatException.class, () -> BLOOMERY.files().open(bad));
      for (List<Path> sources : List.of(List.of(bad, good), List.of(good, bad))) {
        FilterFormatException e =
            assertThrows(
                FilterFormatException.class, () -> BLOOMERY.files().merge(target, sources));
        assertTrue(e.getMessage().startsWith(bad + ": byte "), e.getMessage());
        assertEquals(header + bit / 8, e.offset());
      }
    }
    assertFalse(Files.exists(target));
  }

  private static List<Integer> bounds(DamagedRegion region) {
    return List.of((int) region.from(), (int) region.to());
  }

  private static void putChecksum(byte[] bytes, int from, int length, int at) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, (int) crc.getValue());
  }
}
