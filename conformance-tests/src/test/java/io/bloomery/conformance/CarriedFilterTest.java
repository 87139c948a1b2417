package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.SerializableFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.objenesis.ObjenesisStd;

/** A filter is the same wherever it was carried, and by whatever. */
class CarriedFilterTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();
  private static final FilterLimits LIMITS = FilterLimits.ofBytes(1 << 20);

  @TempDir Path folder;

  static List<Arguments> variantsByCarriers() {
    List<Arguments> all = new ArrayList<>();
    for (FilterProvider provider : BLOOMERY.providers().all()) {
      for (Carrier carrier : Carrier.values()) {
        all.add(Arguments.of(provider.variant(), carrier));
      }
    }
    return all;
  }

  static List<Arguments> variantsByKryo() {
    return variantsByCarriers().stream()
        .filter(arguments -> arguments.get()[1] != Carrier.JAVA)
        .toList();
  }

  private static Filter filter(String variant, int keys) {
    FilterSpec spec =
        FilterSpec.of(keys, 0.01, "ids").withAttributes(Map.of("acme.source", "Köln"));
    Filter filter = BLOOMERY.providers().get(variant).create(spec, ThreadMode.CONFINED, LIMITS);
    // Some often enough for counts that need room of their own.
    for (long hash : new SplittableRandom(keys).longs(keys).toArray()) {
      for (int times = (int) (hash & 7); times >= 0; times--) {
        filter.put(hash);
      }
    }
    return filter;
  }

  private static byte[] bytes(Carrier carrier, Object object) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    carrier.write(object, out);
    return out.toByteArray();
  }

  private static SerializableFilter carried(Carrier carrier, SerializableFilter sent)
      throws Exception {
    byte[] bytes = bytes(carrier, sent);
    return (SerializableFilter) carrier.read(new ByteArrayInputStream(bytes));
  }

  private static void checkSame(Filter expected, Filter filter, int keys) {
    assertNotSame(expected, filter);
    assertEquals(expected.variant(), filter.variant());
    assertEquals(expected.spec(), filter.spec());
    assertEquals(expected.limits(), filter.limits());
    assertArrayEquals(Subject.write(expected), Subject.write(filter));
    for (long hash : new SplittableRandom(keys).longs(2L * keys).toArray()) {
      assertEquals(expected.mightContain(hash), filter.mightContain(hash));
    }
  }

  @ParameterizedTest
  @MethodSource("variantsByCarriers")
  void everyVariantComesBackAsItWas(String variant, Carrier carrier) throws Exception {
    for (int keys : new int[] {1, 100, 20_000}) {
      Filter filter = filter(variant, keys);
      SerializableFilter again = carried(carrier, SerializableFilter.of(filter));
      checkSame(filter, again.filter(), keys);
      assertSame(again.filter(), again.filter());
      assertTrue(again.toString().startsWith(variant), again::toString);
    }
  }

  /** Whether or not the filter was asked for in between. */
  @ParameterizedTest
  @MethodSource("variantsByCarriers")
  void whatCameBackIsCarriedOn(String variant, Carrier first) throws Exception {
    Filter filter = filter(variant, 100);
    for (Carrier second : Carrier.values()) {
      SerializableFilter asked = carried(first, SerializableFilter.of(filter));
      checkSame(filter, asked.filter(), 100);
      checkSame(filter, carried(second, asked).filter(), 100);
      SerializableFilter unasked = carried(first, SerializableFilter.of(filter));
      SerializableFilter again = carried(first, carried(second, unasked));
      checkSame(filter, again.filter(), 100);
    }
  }

  /** What Java serialization does with every bit is in {@link SerializableFilterTest}. */
  @ParameterizedTest
  @MethodSource("variantsByKryo")
  void everyDamagedByteIsRefusedWhenTheFilterIsAskedFor(String variant, Carrier carrier)
      throws Exception {
    Filter filter = filter(variant, 1);
    byte[] bytes = bytes(carrier, SerializableFilter.of(filter));
    int start = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("BLOOMERY");
    for (int at = 0; at < FilterFiles.serializedSize(filter); at++) {
      byte[] damaged = bytes.clone();
      damaged[start + at] ^= (byte) (1 << at % 8);
      SerializableFilter read =
          (SerializableFilter) carrier.read(new ByteArrayInputStream(damaged));
      for (int again = 0; again < 2; again++) {
        IllegalStateException e =
            assertThrows(IllegalStateException.class, read::filter, "byte " + at);
        assertEquals("the filter that was carried cannot be read", e.getMessage());
        assertInstanceOf(FilterFormatException.class, e.getCause());
      }
    }
  }

  /** As by a framework that fills in no fields, or none but transient ones. */
  @Test
  void anObjectWithoutItsContentSaysSo() throws Exception {
    SerializableFilter empty = new ObjenesisStd().newInstance(SerializableFilter.class);
    checkLeftBehind(empty);
    Field content = SerializableFilter.class.getDeclaredField("content");
    content.setAccessible(true);
    content.set(empty, new byte[][] {null});
    checkLeftBehind(empty);
    content.set(empty, new byte[0][]);
    assertInstanceOf(
        IllegalArgumentException.class,
        assertThrows(IllegalStateException.class, empty::filter).getCause(),
        "limits of no bytes");
  }

  private static void checkLeftBehind(SerializableFilter empty) {
    List<Executable> calls =
        List.of(empty::filter, empty::toString, () -> bytes(Carrier.JAVA, empty));
    for (Executable call : calls) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertTrue(e.getMessage().startsWith("the filter was left behind: "), e.getMessage());
    }
  }

  /** Kryo's copy, by which Flink hands objects from one operator to the next. */
  @ParameterizedTest
  @MethodSource("variantsByKryo")
  void aCopyByKryoHasAFilterOfItsOwn(String variant, Carrier carrier) throws Exception {
    Filter filter = filter(variant, 100);
    SerializableFilter sent = SerializableFilter.of(filter);
    SerializableFilter copy = carrier.copy(sent);
    checkSame(filter, copy.filter(), 100);
    byte[] before = Subject.write(filter);
    copy.filter().put(42);
    assertArrayEquals(before, Subject.write(filter));
    checkSame(filter, carrier.copy(carried(carrier, sent)).filter(), 100);
    assertSame(filter, sent.filter());
  }

  /** Its content takes several arrays; and needs memory for several times as much. */
  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void aFilterOfHundredMegabytesComesBackAsItWas(Carrier carrier) throws Exception {
    int keys = 100_000_000;
    Filter filter =
        BLOOMERY.providers().get("standard").create(FilterSpec.of(keys, 0.01), ThreadMode.CONFINED);

    assertTrue(filter.payloadSize() > 100 << 20);
    long[] put = new SplittableRandom(keys).longs(1_000_000).toArray();
    filter.putAll(put, 0, put.length);
    Path file = folder.resolve("carried");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      carrier.write(SerializableFilter.of(filter), out);
    }
    SerializableFilter read;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      read = (SerializableFilter) carrier.read(in);
    }
    Filter again = read.filter();
    assertEquals(put.length, again.select(put, 0, put.length, new int[put.length]));
    assertEquals(filter.stats(), again.stats());
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    FilterFiles.save(filter, first);
    FilterFiles.save(again, second);
    assertEquals(-1, Files.mismatch(first, second));
  }
}
