package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProviders;
import io.bloomery.internal.file.LiveControl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of live windows whose bytes stay the same for ever; {@code -Dbloomery.record=true} writes
 * those of a new version.
 */
class GoldenLiveWindowTest {

  private static final Path GOLDEN = Path.of("../docs/golden/live-window-version-1");
  private static final int SINCE_AT = 16;
  private static final int NUMBER_AT = 0;
  private static final int RUN_AT = 8;

  @TempDir Path folder;

  @Test
  void theFilesAreTheSameForEver() throws IOException {
    Path sealed = folder.resolve("sealed.window");
    Path open = folder.resolve("open.window");
    Path crashed = folder.resolve("crashed.window");
    try (LiveSlidingBloomFilter<String> live =
        SlidingBloomFilter.builder(Bloomery.strings().expect(101).fpp(1e-9)).openOrCreate(sealed)) {
      for (int i = 0; i < 240; i++) {
        live.put("key-" + i);
        if (i == 201) {
          Files.copy(sealed, crashed);
        }
      }
      Files.copy(sealed, open);
    }
    assertSame(sealed, fixed(sealed), 240);
    assertSame(open, fixed(open), 240);
    // Torn only then: its checksum is to be that of the fixed state, on every machine.
    byte[] torn = fixed(crashed);
    torn[(int) (LiveLayout.SLOTS_AT + LiveLayout.read(crashed).slot().at())] ^= 1;
    assertSame(crashed, torn, 202);
  }

  private void assertSame(Path made, byte[] bytes, int end) throws IOException {
    Path golden = GOLDEN.resolve(made.getFileName());
    if (Boolean.getBoolean("bloomery.record")) {
      Files.createDirectories(GOLDEN);
      Files.write(golden, bytes);
    }
    assertArrayEquals(Files.readAllBytes(golden), bytes, golden.toString());
    assertEquals(
        !made.endsWith("sealed.window"), SlidingFilterFiles.live(golden).orElseThrow().isOpen());
    Path copy = Files.write(folder.resolve("copy.window"), bytes);
    SlidingFilterFiles.seal(copy, FilterProviders.installed());
    SlidingBloomFilter<String> opened = SlidingBloomFilter.open(Bloomery.strings(), copy);
    // Drawn once for all, no key is taken for another.
    assertEquals(
        IntStream.range(101, end).boxed().toList(),
        IntStream.range(0, 240).filter(i -> opened.mightContain("key-" + i)).boxed().toList());
    assertEquals(List.of(), SlidingFilterFiles.verify(copy, FilterProviders.installed()));
  }

  /** Returns the bytes of a file without what the machine and its clock wrote into them. */
  private static byte[] fixed(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int block = 1; block <= 2; block++) {
      ByteBuffer state = block(bytes, block * LiveControl.BLOCK);
      if (state.getLong(SINCE_AT) != 0) {
        state.putLong(SINCE_AT, 1_767_225_600_000L).putLong(SINCE_AT + Long.BYTES, 4711);
        LiveSlot.seal(state);
      }
      ByteBuffer slot = block(bytes, LiveLayout.SLOTS_AT + (block - 1) * LiveControl.BLOCK);
      if (slot.getLong(NUMBER_AT) != 0) {
        slot.putLong(RUN_AT, 1);
        LiveSlot.seal(slot);
      }
    }
    return bytes;
  }

  private static ByteBuffer block(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes, at, LiveControl.BLOCK).slice().order(ByteOrder.LITTLE_ENDIAN);
  }
}
