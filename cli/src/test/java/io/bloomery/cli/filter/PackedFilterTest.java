package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Gzip;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what is said of filters that are compressed or in Base64, and of files that are cut. */
class PackedFilterTest {

  @TempDir private Path folder;
  private Path lines;

  @BeforeEach
  void writeLines() throws IOException {
    lines = Files.writeString(folder.resolve("lines"), "1\n2\n");
  }

  private byte[] made(String... options) throws IOException {
    Path file = folder.resolve("made");
    Run run = Run.of("create", "--force", "-o", file, options, lines);
    assertTrue(run.exitCode() == ExitCode.OK || run.exitCode() == ExitCode.OUTGROWN, run.err());
    return Files.readAllBytes(file);
  }

  /** Returns what a filter becomes, by the command that undoes it. */
  private static Map<String, byte[]> packings(byte[] filter) throws IOException {
    Map<String, byte[]> packed = new LinkedHashMap<>();
    packed.put("gzip -dc", Gzip.of(filter));
    packed.put("base64 -d", Base64.getEncoder().encode(filter));
    packed.put("base64 -d ", Base64.getMimeEncoder().encode(filter));
    packed.put("xz -dc", begun("fd377a585a000004", filter));
    packed.put("zstd -dc", begun("28b52ffd24", filter));
    packed.put("bzip2 -dc", begun("425a6839314159265359", filter));
    packed.put("lz4 -dc", begun("04224d186440a7", filter));
    packed.put("unzip -p", begun("504b03041400", filter));
    return packed;
  }

  private static boolean isBase64(byte[] filter) {
    return new String(filter, StandardCharsets.ISO_8859_1).matches("[A-Za-z0-9+/]+={0,2}\\s*");
  }

  private static byte[] begun(String start, byte[] rest) {
    byte[] head = HexFormat.of().parseHex(start);
    byte[] all = Arrays.copyOf(head, head.length + rest.length);
    System.arraycopy(rest, 0, all, head.length, rest.length);
    return all;
  }

  private static void assertNamed(String command, Path file, Run run) {
    String expected = "'" + command.strip() + " " + file + " | bloomery ... -'";
    run.assertEnds(ExitCode.BAD_FILE);
    assertTrue((run.out() + run.err()).contains(expected), expected + "\n" + run);
    assertFalse((run.out() + run.err()).contains("must start with"), run.toString());
  }

  static List<String> variants() {
    return Bloomery.installed().providers().variants();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyCommandNamesAPackingOfOurFilters(String variant) throws IOException {
    for (Map.Entry<String, byte[]> packed : packings(made("--variant", variant)).entrySet()) {
      Path file = Files.write(folder.resolve("packed"), packed.getValue());
      for (Object[] arguments :
          new Object[][] {
            {"info", file},
            {"verify", file},
            {"plot", file},
            {"check", file, lines},
            {"add", file, lines},
            {"remove", file, lines},
            {"merge", "--force", "-o", folder.resolve("merged"), file, file},
            {"push", file, "redis://localhost:1/0?filter=x"},
          }) {
        assertNamed(packed.getKey(), file, Run.of(arguments));
      }
      assertInPipe(packed, "info", "-");
      assertInPipe(packed, "check", "-", lines);
    }
  }

  private static void assertInPipe(Map.Entry<String, byte[]> packed, Object... arguments) {
    String bytes = new String(packed.getValue(), StandardCharsets.ISO_8859_1);
    Run.withInput(bytes, arguments)
        .assertEnds(ExitCode.BAD_FILE, packed.getKey().strip(), " | bloomery ... -'");
  }

  @ParameterizedTest
  @EnumSource
  void everyCommandNamesAPackingOfForeignFilters(ForeignFormat format) throws IOException {
    String id = format.id();
    byte[] filter = format.create(1_000, 0.05).toBytes();
    for (Map.Entry<String, byte[]> packed : packings(filter).entrySet()) {
      if (format == ForeignFormat.DCSO_GZIP) {
        continue; // whose own compression is read
      }
      if (isBase64(filter) && packed.getKey().startsWith("base64")) {
        continue; // which such filters are themselves
      }
      Path file = Files.write(folder.resolve("packed"), packed.getValue());
      for (Object[] arguments :
          new Object[][] {
            {"info", "--format", id, file},
            {"verify", "--format", id, file},
            {"convert", "--format", id, "--to", id, "--force", "-o", folder.resolve("to"), file},
          }) {
        assertNamed(packed.getKey(), file, Run.of(arguments));
      }
      assertInPipe(packed, "info", "--format", id, "-");
    }
  }

  @Test
  void filesThatAreShorterThanAHeaderAreJudgedByWhatIsThere() throws IOException {
    byte[] filter = made();
    Random random = new Random(55);
    for (int size = 0; size < 16; size++) {
      byte[] other = new byte[size];
      do {
        random.nextBytes(other);
      } while (size > 0 && other[0] == 'B');
      String cut = size == 0 ? "it is empty" : "byte " + size + ": ends here, in the middle of";
      String none = size == 0 ? "it is empty" : "it must start with 'BLOOMERY'";
      assertSaid(cut, Arrays.copyOf(filter, size));
      assertSaid(none, other);
    }
    assertTrue(Run.of("info", "/dev/null").err().contains("it is empty"));
  }

  private void assertSaid(String words, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve("short"), content);
    String bytes = new String(content, StandardCharsets.ISO_8859_1);
    for (Run run :
        List.of(
            Run.of("info", file),
            Run.of("verify", file),
            Run.of("check", file, lines),
            Run.of("add", file, lines),
            Run.of("remove", file, lines),
            Run.of("plot", file),
            Run.command("merge --force -o %s %s %s", folder.resolve("merged"), file, file),
            Run.withInput(bytes, "info", "-"))) {
      run.assertEnds(ExitCode.BAD_FILE);
      assertTrue((run.out() + run.err()).contains(words), words + "\n" + run);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", " \r\n\t", "\r\n\r\n"})
  void whiteSpaceBehindAnObjectOfJsonIsNoFault(String space) throws IOException {
    String format = "bits-and-blooms-json";
    byte[] json = ForeignFormat.named(format).create(10, 0.01).toBytes();
    String text = new String(json, StandardCharsets.US_ASCII) + space;
    Path file = Files.writeString(folder.resolve("json"), text);
    for (Run run :
        List.of(
            Run.of("info", "--format", format, file),
            Run.of("verify", "--format", format, file),
            Run.piped(text, "info --format %s -", format),
            Run.command("add --format %s --encoding utf-8 %s %s", format, file, lines))) {
      assertFalse(run.err().contains(file + ": byte"), run.toString());
      assertNotEquals(ExitCode.BAD_FILE, run.exitCode(), run.toString());
      assertNotEquals(ExitCode.USAGE, run.exitCode(), run.toString());
    }
    Files.writeString(file, text + "x");
    Run more = Run.of("info", "--format", format, file);
    assertTrue(
        more.err().contains("byte " + text.length() + ": " + format + ": must end here"),
        more.err());
  }
}
