package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that malformed lines end a command, or are skipped and counted. */
class MalformedLinesTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--integer            | %d         | ;x;1.5;22345678901234567890",
        "--hex                | %04x       | 1;0x12;zz",
        "--base64             | Q%05dA=    | Q;====;a b",
        "--tsv 2              | a\\t%d     | a;b c",
        "--csv 2              | a,%d       | a;\"a;\"a\"b,c",
        "--csv 2 --integer    | \"a\",\"%d\" | a;a,;a,b;\"a\"x,3;a,\"3",
        "--csv n              | a,%d       | a;\"a,\"\"b;x\"\"y\"\"",
      })
  void malformedLinesAreSkippedAndCounted(String options, String good, String bad)
      throws IOException {
    Random random = new Random(55);
    for (int trial = 0; trial < 5; trial++) {
      List<String> lines = new ArrayList<>();
      List<String> kept = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(30); i++) {
        kept.add(good.replace("\\t", "\t").formatted(i));
      }
      String[] malformed = bad.split(";", -1);
      int skipped = 1 + random.nextInt(5);
      lines.addAll(kept);
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i < skipped; i++) {
        places.add(random.nextInt(kept.size() + 1));
      }
      places.sort(Collections.reverseOrder());
      for (int place : places) {
        lines.add(place, malformed[random.nextInt(malformed.length)]);
      }
      String end = random.nextBoolean() ? "\n" : "\r\n";
      String header = options.contains(" n") ? "m,n\n" : "";
      boolean isBlankLast = lines.get(lines.size() - 1).isEmpty();
      String text =
          header + String.join(end, lines) + (isBlankLast || random.nextBoolean() ? end : "");
      check(options, header, kept, skipped, text);
    }
  }

  private void check(String options, String header, List<String> kept, int skipped, String text)
      throws IOException {
    Path input = Files.writeString(folder.resolve("input"), text);
    Path file = folder.resolve("made.bloom");
    Object[] create = {"create", "--fpp=1e-9", "--force", "-o", file, options.split(" "), input};
    Run refused = Run.of(create);
    assertEquals(ExitCode.BAD_FILE, refused.exitCode(), text);
    assertTrue(refused.err().contains(input + ": line "), refused.err());
    String report = String.format("%,d malformed lines were skipped; the first: ", skipped);
    Run made = Run.of(create, "--skip-malformed").assertEnds(ExitCode.OK);
    assertTrue(made.err().contains(report + input + ": line "), text + made.err());
    assertTrue(made.err().contains(kept.size() + " lines added"), text + made.err());
    Run.command("check --skip-malformed -q %s %s", file, input).assertEnds(ExitCode.OK);
    Run lines = Run.of("check", "--skip-malformed", file, input);
    assertEquals(header + String.join("\n", kept) + "\n", lines.out().replace("\r\n", "\n"));
    assertTrue(lines.err().contains(report), lines.err());
    Run.of("add", "--skip-malformed", file, input).assertEnds(ExitCode.OK);
  }

  @Test
  void everyCommandThatReadsKeysSkipsThem() throws IOException {
    Path input = Files.writeString(folder.resolve("input"), "1\n\n2\nx\n3\n");
    Path file = folder.resolve("made.bloom");
    Run.piped("1\n2\n3\n", "create -o %s --integer --variant=counting --expected=9", file);
    for (Object[] arguments :
        new Object[][] {
          {"dedupe", "--integer", input},
          {"remove", file, input},
          {"add", file, input},
          {"compare", "--integer", input},
          {"create", "--format=guava", "--encoding=long-le", "-o", folder.resolve("x"), input},
        }) {
      Run.of(arguments).assertEnds(ExitCode.BAD_FILE);
      Run run =
          arguments[0].equals("compare")
              ? Run.ofStandard("", arguments, "--skip-malformed")
              : Run.of(arguments, "--skip-malformed");
      run.assertEnds(
          ExitCode.OK, "2 malformed lines were skipped; the first: " + input + ": line 2: ");
    }
  }
}
