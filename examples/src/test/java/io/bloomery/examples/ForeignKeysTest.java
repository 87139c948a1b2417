package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.hash.KeyForm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a reader written from docs/FORMAT.md makes the same keys of what is written. */
class ForeignKeysTest {

  private static final int DRAWN = 4_000;

  /** Of the code points, a build tries one in so many. */
  private static final int EVERY = 4;

  /** Behind it are no spaces, and no letters with two cases. */
  private static final int END_OF_SECOND_PLANE = 0x1_ffff;

  /** Letters, spaces, digits and signs, and bytes that begin, go on or cannot be characters. */
  private static final String PARTS =
      "a Z 0 f F 9 + / - _ = == @ [ \t 20 \u001c \u0085 \u00a0 \u2007 \u200b \u3000 \u0130 \u0131 \u0391 \u03a3 \u03c2 \u03c3 \u00df \u1e9e"
          + " \u023a \u212a \ua7c0 \ud801\udd70 \ud803\udd50 \ud83d\ude00 QQ QUE= AB Zm9v";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"trim", "ignore-case"})
  void bothMakeTheSameOfDrawnCodePointsOfTwoPlanes(String form) throws Exception {
    long seed = Long.getLong("bloomery.draw", System.nanoTime());
    System.out.println("drawn by -Dbloomery.draw=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    checkCodePoints(
        form,
        IntStream.rangeClosed(0, END_OF_SECOND_PLANE).filter(c -> random.nextInt(EVERY) == 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"trim", "ignore-case"})
  @Tag("nightly")
  void bothMakeTheSameOfEveryCodePoint(String form) throws Exception {
    checkCodePoints(form, IntStream.rangeClosed(0, Character.MAX_CODE_POINT));
  }

  private void checkCodePoints(String form, IntStream points) throws Exception {
    List<byte[]> keys =
        points
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .mapToObj(c -> Character.toString(c).getBytes(StandardCharsets.UTF_8))
            .toList();
    checkKeys(form, keys);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "trim",
        "ignore-case",
        "trim,ignore-case",
        "upper-case",
        "trim,upper-case",
        "hex",
        "trim,hex",
        "base64",
        "trim,base64"
      })
  void bothMakeTheSameOfDrawnKeys(String form) throws Exception {
    SplittableRandom random = new SplittableRandom(38);
    String[] parts = PARTS.split(" ", -1);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < DRAWN; i++) {
      ByteArrayOutputStream key = new ByteArrayOutputStream();
      for (int left = random.nextInt(8); left > 0; left--) {
        switch (random.nextInt(8)) {
          case 0 -> key.write(random.nextInt(256));
          case 1 -> key.write(' ');
          case 2 -> key.write("AQgw0189afAF+/".charAt(random.nextInt(14)));
          default ->
              key.writeBytes(parts[random.nextInt(parts.length)].getBytes(StandardCharsets.UTF_8));
        }
      }
      keys.add(key.toByteArray());
    }
    checkKeys(form, keys);
  }

  private void checkKeys(String form, List<byte[]> keys) throws Exception {
    assumeTrue(PythonReader.isThere(), "needs python3");
    Path written = folder.resolve("keys");
    Files.write(written, keys.stream().map(HexFormat.of()::formatHex).toList());
    Process python =
        new ProcessBuilder("python3", "python/bloomery.py", "key", form)
            .redirectInput(written.toFile())
            .redirectErrorStream(true)
            .start();
    String[] there =
        new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n", -1);
    assertEquals(0, python.waitFor());
    int valid = 0;
    for (int i = 0; i < keys.size(); i++) {
      String here = key(KeyForm.parse(form), keys.get(i));
      assertEquals(here, there[i], HexFormat.of().formatHex(keys.get(i)));
      valid += here.equals("invalid") ? 0 : 1;
    }
    assertEquals(keys.size() + 1, there.length);
    assertTrue(valid > keys.size() / 20, valid + " are valid");
  }

  private static String key(KeyForm form, byte[] written) {
    try {
      return HexFormat.of().formatHex(form.apply(written));
    } catch (IllegalArgumentException e) {
      return "invalid";
    }
  }

  /** A file of another form is not asked in silence. */
  @Test
  void theOtherReaderAppliesTheFormOfAFileOrRefusesTheKey() throws Exception {
    assumeTrue(PythonReader.isThere(), "needs python3");
    String folded = "../docs/golden/version-1/standard-ignore-case.bloom";
    assertEquals("0aZ@[`{\n", python("check", folded, "0aZ@[`{", "nobody"));
    String hex = "../docs/golden/version-1/scalable-attributes.bloom";
    assertTrue(python("check", hex, "0").contains("a key in hex must have two digits"));
    assertTrue(python("key", "nfc").contains("Reads Bloomery filters"));
  }

  private static String python(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", "python/bloomery.py"));
    command.addAll(List.of(arguments));
    Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    python.waitFor();
    return said;
  }
}
