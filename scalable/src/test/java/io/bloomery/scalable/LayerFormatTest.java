package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what filters write, and what they refuse to read. */
class LayerFormatTest {

  private static final long[] EVIL = {
    0,
    1,
    -1,
    2,
    3,
    63,
    64,
    65,
    128,
    255,
    65_535,
    1L << 31,
    (1L << 31) - 1,
    -(1L << 31),
    1L << 32,
    (1L << 32) + 2,
    1L << 33,
    1L << 40,
    1L << 61,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final int HEADER = 4;

  private final ScalableProvider provider = new ScalableProvider();
  private final FilterSpec spec = FilterSpec.of(10, 0.01);

  private static long[] hashes(int count) {
    return new SplittableRandom(61).longs(count).toArray();
  }

  private Filter filter(int keys) {
    Filter filter = provider.create(spec, ThreadMode.SHARED);
    filter.putAll(hashes(keys), 0, keys);
    return filter;
  }

  private Filter read(FilterLayout layout, long... words) throws IOException {
    return provider.read(
        spec, layout, new PayloadBuffer(words), ThreadMode.SHARED, FilterLimits.HEAP);
  }

  private void refuses(String reason, long... words) {
    refuses(reason, filter(0).layout(), words);
  }

  private void refuses(String reason, FilterLayout layout, long... words) {
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> read(layout, words));
    assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
    // What is only checked is refused alike.
    FilterFormatException checked =
        assertThrows(
            FilterFormatException.class,
            () -> provider.check(spec, layout, new PayloadBuffer(words)));
    assertEquals(refusal.getMessage(), checked.getMessage());
  }

  private static long[] with(long[] words, int at, long value) {
    long[] changed = words.clone();
    changed[at] = value;
    return changed;
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "5, 1", "10, 1", "11, 2", "30, 2", "310, 5", "1200, 7"})
  void whatIsReadGoesOnAsIfItHadNeverBeenWritten(int keys, int layers) throws IOException {
    for (ThreadMode mode : ThreadMode.values()) {
      Filter original = filter(keys);
      assertEquals(layers, PayloadBuffer.of(original)[0]);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      FilterFiles.write(original, bytes);
      assertEquals(bytes.size(), FilterFiles.serializedSize(original));
      Filter again =
          Bloomery.with(provider)
              .files()
              .read(new ByteArrayInputStream(bytes.toByteArray()), OpenOptions.of(mode));
      assertArrayEquals(PayloadBuffer.of(original), PayloadBuffer.of(again));
      assertEquals(original.layout(), again.layout());
      assertEquals(original.spec(), again.spec());
      long[] more = new SplittableRandom(67).longs(2_000).toArray();
      assertEquals(original.putAll(more, 0, 2_000), again.putAll(more, 0, 2_000));
      assertArrayEquals(PayloadBuffer.of(original), PayloadBuffer.of(again));
    }
  }

  @Test
  void aFilterGoesOnWithTheParametersItWasCreatedWith() throws IOException {
    ScalableProvider other =
        new ScalableProvider().withGrowth(3).withTightening(0.6).withMaxLayers(3);
    Filter original = other.create(spec, ThreadMode.SHARED);
    long[] hashes = hashes(130);
    original.putAll(hashes, 0, 15);
    Filter again = read(original.layout(), PayloadBuffer.of(original));
    original.putAll(hashes, 15, 120);
    again.putAll(hashes, 15, 120);
    assertArrayEquals(PayloadBuffer.of(original), PayloadBuffer.of(again));
    assertArrayEquals(new long[] {10, 30}, Arrays.copyOf(PayloadBuffer.keys(again), 2));
  }

  @Test
  void everyNumberOfEveryHeaderIsChecked() {
    Filter filter = filter(310);
    long[] words = PayloadBuffer.of(filter);
    int accepted = 0;
    for (int at = 0; at < 1 + HEADER * words[0]; at++) {
      for (long value : EVIL) {
        long[] changed = with(words, at, value);
        try {
          Filter read = read(filter.layout(), changed);
          assertArrayEquals(changed, PayloadBuffer.of(read), "what was read is written alike");
          accepted += value == words[at] ? 0 : 1;
        } catch (FilterFormatException e) {
          assertTrue(e.getMessage().length() > 20, e::getMessage);
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }
    // Other counts of the newest layer's keys, and of standard layers' probes, can be true.
    assertTrue(accepted < 20, "accepted " + accepted);
  }

  @Test
  void layersMustFollowFromTheParameters() {
    long[] words = PayloadBuffer.of(filter(30));
    refuses("layers must be from 1 to 64, but are 0", with(words, 0, 0));
    refuses("layers must be from 1 to 64, but are 65", with(words, 0, 65));
    refuses("layer 0: kind must be from 0 to 1", with(words, 1, 2));
    refuses("layer 0: bits must be a multiple of 64", with(words, 2, 65));
    refuses("layer 0: probes", with(words, 3, 65));
    refuses("layer 0: probes", with(words, 3, (1L << 32) + 8));
    refuses("layer 0: keys must be from 10 to 10, but are 9", with(words, 4, 9));
    refuses("layer 0: keys must be from 10 to 10, but are 11", with(words, 4, 11));
    refuses("layer 1: keys must be from 1 to 20, but are 0", with(words, 8, 0));
    refuses("layer 1: keys must be from 1 to 20, but are 21", with(words, 8, 21));
    refuses("payload must have", with(words, 2, words[2] + 256));
    refuses("payload must have", Arrays.copyOf(words, words.length - 1));
    refuses("payload must have", Arrays.copyOf(words, words.length + 1));
  }

  @Test
  void keysMustBeThoseThatCanHaveSetTheBits() {
    long[] words = PayloadBuffer.of(filter(30));
    refuses("layer 1: 1 keys cannot have set", with(words, 8, 1));
    long[] empty = PayloadBuffer.of(filter(0));
    refuses("layer 0: 1 keys cannot have set 0 bits", with(empty, 4, 1));
    refuses("layer 0: 0 keys cannot have set 1 bits", with(empty, 5, 1));
  }

  @Test
  void aPayloadThatEndsEarlyIsRefused() {
    long[] words = PayloadBuffer.of(filter(30));
    FilterLayout layout = filter(30).layout();
    for (int length = 0; length < words.length; length++) {
      long[] cut = Arrays.copyOf(words, length);
      assertThrows(FilterFormatException.class, () -> read(layout, cut));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"first-layer-keys", "growth", "tightening-ppm", "max-layers", "max-bytes"})
  void everyNumberOfTheLayoutIsChecked(String name) throws IOException {
    Filter filter = filter(310);
    long[] words = PayloadBuffer.of(filter);
    Map<String, Long> numbers = new HashMap<>(filter.layout().toMap());
    numbers.remove(name);
    FilterLayout fewer = FilterLayout.of(numbers);
    String names = "layout must have [first-layer-keys, ";
    refuses(names, fewer, words);
    refuses(names, fewer.with("other", 1), words);
    refuses(names, filter.layout().with("other", 1), words);
    for (long value : EVIL) {
      try {
        read(fewer.with(name, value), words);
        assertTrue(
            value == filter.layout().get(name) || (value >= 5 && name.startsWith("max-")),
            () -> name + " of " + value + " was accepted");
      } catch (FilterFormatException e) {
        assertTrue(e.getMessage().length() > 20, e::getMessage);
      }
    }
  }

  @Test
  void limitsAreCheckedAgainstTheContent() throws IOException {
    Filter filter = filter(310);
    long bytes = filter.stats().sizeInBits() / 8;
    FilterLayout tight = filter.layout().with("max-bytes", bytes - 1);
    refuses("layers may take " + (bytes - 1) + " bytes", tight, PayloadBuffer.of(filter));
    FilterLayout few = filter.layout().with("max-bytes", bytes).with("max-layers", 4);
    refuses("layers must be from 1 to 4, but are 5", few, PayloadBuffer.of(filter));
    FilterLayout just = filter.layout().with("max-bytes", bytes).with("max-layers", 5);
    assertArrayEquals(
        PayloadBuffer.of(filter), PayloadBuffer.of(read(just, PayloadBuffer.of(filter))));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 310})
  void aBatchOfMappedLayersWithoutRoomForItsResultIsRefused(int keys) throws IOException {
    Filter filter = filter(keys);
    FilterView view =
        provider.map(spec, filter.layout(), new PayloadBuffer(PayloadBuffer.of(filter)));
    assertThrows(
        IllegalArgumentException.class, () -> view.select(new long[10], 0, 10, new int[9]));
  }

  @Test
  void layersWhoseRateNoHashAllowsAreRefused() {
    long[] words = PayloadBuffer.of(filter(30));
    FilterFormatException refusal =
        assertThrows(
            FilterFormatException.class,
            () ->
                provider.read(
                    FilterSpec.of(1, 1e-18),
                    filter(0).layout(),
                    new PayloadBuffer(words),
                    ThreadMode.SHARED,
                    FilterLimits.HEAP));
    assertTrue(refusal.getMessage().contains("64-bit hashes"), refusal::getMessage);
  }
}
