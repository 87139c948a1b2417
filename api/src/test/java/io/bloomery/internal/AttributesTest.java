package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttributesTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final FilterBuilder<String> STRINGS =
      BLOOMERY.<String>keys(KeyHasher.strings()).expect(10).variant("plain");

  private static byte[] bytes(Map<String, String> attributes) throws IOException {
    FilterSpec spec = FilterSpec.of(10, 0.1).withAttributes(attributes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(new PlainProvider().create(spec, ThreadMode.CONFINED), out);
    return out.toByteArray();
  }

  private static Filter read(byte[] bytes) throws IOException {
    return BLOOMERY.files().read(ByteBuffer.wrap(bytes), OpenOptions.confined());
  }

  @Provide
  Arbitrary<Map<String, String>> attributes() {
    Arbitrary<String> names =
        Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(32);
    Arbitrary<String> texts =
        Arbitraries.strings()
            .withCharRange(' ', '~')
            .withCharRange('\u00a0', '\ud7ff')
            .withCharRange('\ue000', '\uffff')
            .ofMaxLength(60);
    return Arbitraries.maps(names, texts)
        .ofMaxSize(16)
        .filter(
            map ->
                map.entrySet().stream()
                        .mapToInt(
                            entry ->
                                entry.getKey().length()
                                    + entry.getValue().getBytes(StandardCharsets.UTF_8).length)
                        .sum()
                    <= 1_024);
  }

  @Property(seed = "21", tries = 300)
  void attributesComeBackAsTheyWereSet(@ForAll("attributes") Map<String, String> attributes)
      throws IOException {
    byte[] bytes = bytes(attributes);
    Filter read = read(bytes);
    assertEquals(new TreeMap<>(attributes), read.spec().attributes());
    assertEquals(read.spec(), read.copy().spec());
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    FilterFiles.write(read, again);
    assertEquals(ByteBuffer.wrap(bytes), ByteBuffer.wrap(again.toByteArray()));
  }

  @Test
  void theLargestThatAreAllowedFitIntoAHeader() throws IOException {
    SortedMap<String, String> largest = new TreeMap<>();
    for (int i = 0; i < 16; i++) {
      largest.put(String.format("%032d", i), "\u00e9".repeat(16));
    }
    assertEquals(largest, read(bytes(largest)).spec().attributes());
    largest.put(largest.firstKey(), "\u00e9".repeat(16) + "x");
    assertRefused(largest, "at most 1024 bytes together, but have 1025");
    largest.remove(largest.lastKey());
    largest.put("a-17th", "");
    largest.put("a-18th", "");
    assertRefused(
        largest,
        "attributes must be at most 16, but are 17; leave one out, or put the texts of two into"
            + " one");
  }

  private static void assertRefused(Map<String, String> attributes, String reason) {
    FilterSpec spec = FilterSpec.of(10, 0.1);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> spec.withAttributes(new TreeMap<>(attributes)))
            .getMessage();
    assertTrue(message.contains(reason), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "\u00e9", "\n", "123456789-123456789-123456789-123"})
  void namesArePrintableAsciiOfAtMost32Bytes(String name) {
    assertRefused(Map.of(name, "text"), "1 to 32 printable ASCII characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\u0000", "\u007f", "\u0085", "\ud800", "\udc00\ud800"})
  void textsHaveNoControlCharactersAndNoLoneSurrogates(String text) {
    assertRefused(Map.of("name", text), "without control characters");
  }

  @Test
  void aBuilderAddsThemAndLeavesBloomerysOwnAlone() {
    FilterBuilder<String> builder = STRINGS.attribute("made-by", "tests").attribute("b", "");
    assertEquals(Map.of("made-by", "tests", "b", ""), builder.create().spec().attributes());
    assertTrue(STRINGS.create().spec().attributes().isEmpty(), "builders do not change");
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> STRINGS.attribute("bloomery.key-form", "hex"))
            .getMessage();
    assertTrue(message.contains("Bloomery's own"), message);
    assertThrows(IllegalArgumentException.class, () -> STRINGS.attribute("a", null));
  }

  @Test
  void theSpecShowsThemInOrderAndCannotBeChangedThroughThem() {
    SortedMap<String, String> given = new TreeMap<>(Map.of("b", "2", "a", "1"));
    FilterSpec spec = FilterSpec.of(10, 0.1).withAttributes(given);
    given.clear();
    assertEquals("{a=1, b=2}", spec.attributes().toString());
    assertThrows(UnsupportedOperationException.class, () -> spec.attributes().clear());
    assertEquals("10 keys at a rate of 0.1, hashed by raw, with {a=1, b=2}", spec.toString());
  }

  private static Filter filter(Map<String, String> attributes) {
    FilterSpec spec = FilterSpec.of(10, 0.1).withAttributes(attributes);
    return new PlainProvider().create(spec, ThreadMode.CONFINED);
  }

  @Test
  void onlyTheKeyFormKeepsFiltersFromMerging(@TempDir Path folder) throws IOException {
    Filter hex = filter(Map.of("bloomery.key-form", "hex", "made-by", "one"));
    Filter plain = filter(Map.of("made-by", "other"));
    MergeableFilter merged = (MergeableFilter) hex.copy();
    assertEquals(
        "key form must be equal, but is hex here and plain there",
        merged.incompatibility(plain).orElseThrow());
    assertThrows(IllegalArgumentException.class, () -> merged.putAll(plain));
    Filter other = filter(Map.of("bloomery.key-form", "hex", "made-by", "another"));
    other.put(1);
    merged.putAll(other);
    assertEquals(hex.spec(), merged.spec());
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    FilterFiles.save(hex, one);
    FilterFiles.save(plain, two);
    String message =
        assertThrows(
                UnexpectedFilterException.class,
                () -> BLOOMERY.files().merge(one, List.of(one, two)))
            .getMessage();
    assertEquals(
        "filters cannot be merged: key form must be equal, but is hex in "
            + one
            + " and plain in "
            + two
            + "; make one of them again as the other was made",
        message);
    FilterFiles.save(other, two);
    BLOOMERY.files().merge(two, List.of(one, two));
    Filter both = BLOOMERY.files().open(two, OpenOptions.confined());
    assertEquals(hex.spec(), both.spec(), "the attributes of the first");
    assertTrue(both.mightContain(1));
  }

  /** What stands in a header, after the layout, that no writer writes. */
  static List<byte[]> hostileAttributes() {
    return List.of(
        new byte[] {17},
        attributes("b", "", "a", ""),
        attributes("a", "", "a", ""),
        attributes("", ""),
        attributes("a b", ""),
        attributes("a", "\n"),
        attributes("a", "x".repeat(1_024)),
        new byte[] {1, 1, 'a', (byte) 0xff, (byte) 0xff},
        new byte[] {1, 1, 'a', 2, 0, (byte) 0xc3, '('},
        new byte[] {1, 1, 'a', 3, 0, (byte) 0xed, (byte) 0xa0, (byte) 0x80});
  }

  private static byte[] attributes(String... namesAndTexts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(namesAndTexts.length / 2);
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      out.write(namesAndTexts[i].length());
      out.writeBytes(namesAndTexts[i].getBytes(StandardCharsets.US_ASCII));
      out.write(namesAndTexts[i + 1].length() & 0xff);
      out.write(namesAndTexts[i + 1].length() >> 8);
      out.writeBytes(namesAndTexts[i + 1].getBytes(StandardCharsets.US_ASCII));
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("hostileAttributes")
  void whatNoWriterWritesIsRefused(byte[] hostile) throws IOException {
    byte[] good = bytes(Map.of());
    int size = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
    int at = 40 + 1 + "plain".length() + 1 + "raw".length() + 1 + 5 + 8 + 7 + 8;
    assertEquals(0, good[at], "the number of attributes");
    int newSize = (at + hostile.length + 4 + 63) / 64 * 64;
    ByteBuffer forged =
        ByteBuffer.allocate(good.length - size + newSize).order(ByteOrder.LITTLE_ENDIAN);
    forged.put(good, 0, at).put(hostile).position(newSize);
    forged.put(good, size, good.length - size).putShort(10, (short) newSize);
    CRC32C crc = new CRC32C();
    crc.update(forged.array(), 0, newSize - 4);
    forged.putInt(newSize - 4, (int) crc.getValue());
    assertThrows(FilterFormatException.class, () -> read(forged.array()));
  }
}
