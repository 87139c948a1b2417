package io.bloomery.cli.filter;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.SetVariant;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.Filter;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InfoCommandTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void create() {
    file = folder.resolve("made.bloom");
    String lines = lines(0, 1_000);
    Run.piped(lines, "create -o %s --expected 1000 --fpp 0.001", file);
  }

  @Test
  void theObjectHasEverythingTheFilterSays() throws IOException {
    BloomFilter<String> filter = Bloomery.strings().open(file);
    Run run = Run.of("info", file, "--json").assertEnds(ExitCode.OK);
    Map<String, Object> object = run.json();
    assertEquals(file.toString(), object.get("file"));
    assertEquals("standard", object.get("variant"));
    assertEquals("xxh3-64/utf8", object.get("hashId"));
    assertEquals(1_000.0, object.get("expectedKeys"));
    assertEquals(
        (double) filter.stats().approximateKeys().getAsLong(), object.get("estimatedKeys"));
    assertEquals(0.001, object.get("targetRate"));
    assertEquals(filter.stats().falsePositiveRate(), object.get("estimatedRate"));
    assertEquals((double) filter.stats().setBits(), object.get("setBits"));
    assertEquals(filter.stats().fill(), object.get("fill"));
    assertEquals((double) filter.filter().layout().get("bits"), object.get("layout.bits"));
    assertEquals((double) filter.filter().layout().get("probes"), object.get("layout.probes"));
    assertEquals((double) filter.stats().sizeInBits(), object.get("sizeInBits"));
    assertEquals(filter.stats().sizeInBits() / 1_000.0, object.get("bitsPerKey"));
    assertEquals((double) Files.size(file), object.get("sizeInBytes"));
    assertEquals((double) filter.stats().sizeInBits(), object.get("payloadInBits"));
    assertEquals("ok", object.get("checksums"));
  }

  @Test
  void theTextHasTheSameFacts() throws IOException {
    Run run = Run.of("info", file).assertEnds(ExitCode.OK);
    for (String part :
        new String[] {
          file + "\n",
          "  variant          standard\n",
          "  hash             xxh3-64/utf8\n",
          "  expected keys    1,000\n",
          "  estimated keys   about ",
          "  target rate      0.001\n",
          "  estimated rate   0.00",
          " % of the bits are set\n",
          "  layout           one bit array; the bits of a key lie anywhere in it\n",
          "\n    probes                       10  bits that a query looks at, at most\n",
          String.format("%,d bytes of file%n", Files.size(file)),
          "  checksums        ok\n"
        }) {
      assertTrue(run.out().contains(part), part + " in " + run.out());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "standard    | 0.001 | the bits of a key lie anywhere in it |",
        "partitioned | 0.001 | a key has one bit in each            | slices 12, slice-bits 1216",
        "blocked | 0.001 | blocks; all bits of a key lie in one | blocks 66, block-bits 256",
        "blocked | 0.01  | blocks that overlap; all bits of     | blocks 163, block-bits 128",
        "counting    | 0.001 | every put counts                     | blocks 156, block-bits 128",
        "scalable    | 0.001 | grows when all are full              | layers 3, room-keys 1750"
      })
  void everyLayoutIsExplained(String variant, String rate, String words, String parts)
      throws IOException {
    Path explained = folder.resolve("explained.bloom");
    String lines = lines(0, 1_000);
    int expected = variant.equals(DefaultVariants.GROWING) ? 250 : 1_000;
    Run.piped(
        lines,
        "create -o %s --expected %s --variant %s --fpp %s",
        explained,
        expected,
        variant,
        rate);
    String text = Run.of("info", explained).out();
    assertTrue(text.matches("(?s).*\n  layout  +[^\n]*" + words + ".*"), text);
    Map<String, Object> object = Run.of("info", explained, "--json").json();
    assertTrue(((String) object.get("structure")).contains(words), object + "");
    Filter filter = Bloomery.strings().open(explained).filter();
    Map<String, Double> numbers = new HashMap<>();
    filter.layout().toMap().forEach((name, value) -> numbers.put("layout." + name, (double) value));
    if (parts != null) {
      for (String part : parts.split(", ", -1)) {
        String[] number = part.split(" ", 2);
        numbers.put("parts." + number[0], Double.valueOf(number[1]));
      }
    }
    numbers.forEach(
        (name, value) -> {
          assertEquals(value, object.get(name), name);
          String shown = value == Long.MAX_VALUE ? "no limit" : String.format("%,.0f", value);
          String label = name.substring(name.indexOf('.') + 1);
          assertTrue(text.matches("(?s).*\n    " + label + " +" + shown + "  \\w.*"), text);
        });
    assertEquals(8.0 * filter.payloadSize(), object.get("payloadInBits"));
  }

  @Test
  void theSizeOfAFilterThatHasGrownIsGivenForTheKeysItHolds() throws IOException {
    Path grown = folder.resolve("grown.bloom");
    String lines = lines(0, 50_000);
    Run.withInput(lines, "create", "-o", grown);
    Map<String, Object> object = Run.of("info", grown, "--json").json();
    assertEquals(
        (double) object.get("payloadInBits") / (double) object.get("estimatedKeys"),
        object.get("bitsPerKey"));
    assertTrue(Run.of("info", grown).out().contains(" for each estimated key), "));
    assertTrue(Run.of("info", file).out().contains(" for each expected key), "));
  }

  @Test
  void aVariantOfAnotherPartyIsDescribedByItsNumbers() throws IOException {
    Supplier<Bloomery> plugin = () -> Bloomery.with(new SetVariant(SetVariant.Fault.NONE));
    Path foreign = folder.resolve("foreign.bloom");
    plugin.get().keys(KeyHasher.strings()).expect(1).variant("set").create().save(foreign);
    Run run =
        Run.with(InputStream.nullInputStream(), plugin, "info", foreign).assertEnds(ExitCode.OK);
    assertTrue(run.out().contains("\n  layout           of this variant\n  size "), run.out());
  }

  @Test
  void anEmptyAndAFullFilterAreDescribedToo() throws IOException {
    Path empty = folder.resolve("empty.bloom");
    Run.piped("", "create -o %s --expected 1", empty);
    Map<String, Object> object = Run.of("info", "--json", empty).json();
    assertEquals(0.0, object.get("estimatedKeys"));
    assertEquals(0.0, object.get("estimatedRate"));
    String many = lines(0, 5_000);
    Run.withInput(many, "add", empty);
    object = Run.of("info", "--json", empty).json();
    assertTrue(object.containsKey("estimatedKeys"));
    assertNull(object.get("estimatedKeys"));
    assertEquals(1.0, object.get("estimatedRate"));
    assertTrue(Run.of("info", empty).out().contains("more than can be told: every bit is set"));
  }

  @Test
  void keysOtherThanLinesAreDescribedToo() throws IOException {
    Path longs = folder.resolve("longs.bloom");
    Bloomery.longs().expect(10).create().save(longs);
    Run run = Run.of("info", longs).assertEnds(ExitCode.OK);
    assertTrue(run.out().contains("splitmix64/i64"));
  }

  @Test
  void attributesOfUsersLookLikeNoRowOfItsOwn() throws IOException {
    Path named = folder.resolve("named.bloom");
    String[] names = {"fill", "variant", "checksums", "key form", "target", "keyForm", "layout"};
    List<Object> arguments = new ArrayList<>(List.of("create", "-o", named, "--expected", 9));
    for (String name : names) {
      arguments.addAll(List.of("--attribute", name.replace(' ', '-') + "=mine"));
    }
    Run.withInput("a\n", arguments.toArray());
    List<String> rows = Run.of("info", named).out().lines().toList();
    Map<String, Object> json = Run.of("info", named, "--json").json();
    for (String name : names) {
      String given = name.replace(' ', '-');
      assertTrue(rows.contains("  attribute        " + given + "=mine"), rows + "");
      assertEquals("mine", json.get("attributes." + given));
    }
    assertEquals(
        names.length, rows.stream().filter(row -> row.contains("mine")).count(), rows + "");
    assertEquals("standard", json.get("variant"));
    assertEquals("plain", json.get("keyForm"));
    assertEquals("lines", json.get("keysFrom"));
  }

  @Test
  void aDamagedFileIsNotDescribed() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[200] ^= 1;
    Files.write(file, bytes);
    Run run = Run.of("info", file).assertEnds(ExitCode.BAD_FILE);
    assertEquals("", run.out());
    assertTrue(run.err().contains("checksum does not match; restore it"), run.err());
    assertFalse(run.err().contains(file + ": " + file), run.err());
  }
}
