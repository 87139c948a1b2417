package io.bloomery.cli.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks filters of a program's longs and ints, made and queried by the command. */
class IntegerKeysTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("f.bloom");
  }

  private static long number(String text) throws BadKeyException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    KeyBuffer key = new KeyBuffer();
    KeySyntax.INTEGER.append(bytes, 0, bytes.length, key);
    assertEquals(Long.BYTES, key.size());
    return ByteBuffer.wrap(key.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  @Property(tries = 2_000, seed = "1")
  void everyLongIsItsDigits(@ForAll long number) throws BadKeyException {
    assertEquals(number, number(Long.toString(number)));
    assertEquals(number, number(" " + number + "\t"));
    if (number >= 0) {
      assertEquals(number, number("+000" + number));
    }
    byte[] key = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    KeyBuffer buffer = new KeyBuffer();
    KeySyntax.INTEGER.append(key, 0, key.length, buffer);
    assertArrayEquals(key, KeySyntax.INTEGER.written(Arrays.copyOf(buffer.bytes(), buffer.size())));
  }

  /** The reader in Python accepts and rejects the same digits, signs and white space. */
  @Test
  void aReaderInAnotherLanguageReadsTheSameIntegers() throws Exception {
    List<String> texts = new ArrayList<>(List.of("", "+", "-0", "\u0661", "0".repeat(5_000) + "7"));
    SplittableRandom random = new SplittableRandom(38);
    String[] parts = {"+", "-", " ", "\t", "\u00a0", "\u001f", "_", ".", "x", "0", "00", "\u0667"};
    for (int i = 0; i < 10_000; i++) {
      String digits = Long.toString(random.nextLong() >> random.nextInt(64));
      String more = random.nextInt(9) == 0 ? Integer.toString(random.nextInt(10)) : "";
      String before = random.nextBoolean() ? parts[random.nextInt(parts.length)] : "";
      String after = random.nextInt(4) == 0 ? parts[random.nextInt(parts.length)] : "";
      texts.add(before + digits + more + after);
    }
    Path written = folder.resolve("keys");
    HexFormat hex = HexFormat.of();
    Files.write(
        written,
        texts.stream().map(t -> hex.formatHex(t.getBytes(StandardCharsets.UTF_8))).toList());
    Process python = python("../examples/python/bloomery.py", written);
    String[] there =
        new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n", -1);
    assertEquals(0, python.waitFor());
    int refused = 0;
    for (int i = 0; i < texts.size(); i++) {
      assertEquals(keyInHex(texts.get(i)), there[i], texts.get(i));
      refused += there[i].equals("invalid") ? 1 : 0;
    }
    assertTrue(refused > 2_000 && refused < 8_000, refused + " refused");
  }

  private static Process python(String reader, Path keys) {
    try {
      return new ProcessBuilder("python3", reader, "key", "integer")
          .redirectInput(keys.toFile())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      return abort("needs python3");
    }
  }

  private static String keyInHex(String text) {
    try {
      return HexFormat.of().toHexDigits(Long.reverseBytes(number(text)));
    } catch (BadKeyException e) {
      return "invalid";
    }
  }

  @Test
  void theFilterIsThatOfAProgram() throws IOException {
    Path in = Files.writeString(folder.resolve("in"), "7\n-7\n9223372036854775807\n");
    Run.command("create --integer -o %s %s", file, in).assertEnds(ExitCode.OK);
    BloomFilter<Long> filter = Bloomery.longs().expect(3).create();
    filter.putAll(List.of(7L, -7L, Long.MAX_VALUE));
    Path byProgram = folder.resolve("program.bloom");
    filter.save(byProgram);
    assertArrayEquals(Files.readAllBytes(byProgram), Files.readAllBytes(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--integer", "--trim", "--integer --trim"})
  void theHashIdSaysThatKeysAreIntegers(String options) throws IOException {
    BloomFilter<Integer> filter = Bloomery.ints().expect(9).variant("counting").fpp(1e-5).create();
    filter.put(7);
    filter.save(file);
    String rest = " " + options + " %s";
    assertEquals("7\n007\n", Run.piped("7\n007\n8\n", "check" + rest, file).out());
    Run.piped("8\n", "add" + rest, file).assertEnds(ExitCode.OK);
    Run.piped("7\n", "remove" + rest, file).assertEnds(ExitCode.OK);
    assertTrue(Bloomery.longs().open(file).mightContain(8L));
    assertFalse(Bloomery.longs().open(file).mightContain(7L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        "--1",
        "+-1",
        "1.0",
        "1e3",
        "1,000",
        "1_000",
        "0x10",
        "a",
        "1 2",
        "\u0661",
        "18446744073709551616",
        "-9223372036854775809",
        "99999999999999999999999999"
      })
  void whatIsNoIntegerIsNamedByItsLine(String bad) throws IOException {
    Bloomery.longs().expect(9).create().save(file);
    byte[] before = Files.readAllBytes(file);
    Path in = Files.writeString(folder.resolve("in"), "1\n" + bad + "\n2\n");
    for (String command : List.of("add", "check")) {
      Run.assertFails(
          ExitCode.BAD_FILE,
          in
              + ": line 2: a key must be an integer from -9223372036854775808 to"
              + " 18446744073709551615, in digits; see that this line is what the options say; "
              + file
              + " records that its keys are written as integer",
          Run.of(command, file, in));
    }
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void aColumnMayHoldThemAndJsonShowsThem() {
    Run.piped("a,7\nb,8\n", "create --integer --csv=2 -o %s --fpp=1e-9", file)
        .assertEnds(ExitCode.OK);
    assertEquals(
        """
        {"input":"the standard input","line":1,"text":"x, 007","key":"7"}
        {"input":"the standard input","line":3,"text":"y,8","key":"8"}
        """,
        Run.withInput("x, 007\nz,9\ny,8\n", "check", "--json", file).out());
    assertEquals(
        "{\"input\":\"the standard input\",\"line\":1,\"text\":\"7\"}\n",
        Run.piped("7\n", "check --json --lines %s", file).out());
  }

  @Test
  void equalNumbersAreOneLineForDedupeAndCompare() {
    assertEquals("7\n8\n", Run.withInput("7\n007\n8\n+7\n", "dedupe", "--integer").out());
    Run run =
        Run.ofStandard("1\n01\n2\n3\n4\n", "compare", "--integer", "--json")
            .assertEnds(ExitCode.OK);
    assertTrue(run.out().contains("\"keys\": 2,"), run.out());
  }

  /** As programs have them in an unsigned type: the longs with their bits. */
  @Test
  void unsignedIntegersAreTheLongsWithTheirBits() throws IOException {
    SplittableRandom random = new SplittableRandom(90);
    long[] drawn = random.longs(200).toArray();
    drawn[0] = -1;
    drawn[1] = Long.MIN_VALUE;
    StringBuilder lines = new StringBuilder();
    BloomFilter<Long> filter = Bloomery.longs().expect(200).fpp(1e-9).create();
    for (long key : drawn) {
      lines.append(Long.toUnsignedString(key)).append('\n');
      filter.put(key);
    }
    filter.save(file);
    Run run = Run.withInput(lines.toString(), "check", file).assertEnds(ExitCode.OK);
    assertEquals(200, run.out().lines().count(), run::out);
  }
}
