package io.bloomery.cli.trial;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Run;
import io.bloomery.cli.SetVariant;
import io.bloomery.cli.session.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

  @TempDir private Path folder;

  @Test
  void everyVariantTakesHalfOfTheKeysAndIsAskedForTheOthers() throws IOException {
    Path one = Files.writeString(folder.resolve("one"), lines(0, 15_000));
    Path two = Files.writeString(folder.resolve("two"), lines(5_000, 20_001));
    Run run = Run.command("compare --json --fpp 0.02 %s %s", one, two).assertEnds(ExitCode.OK);
    assertEquals("", run.err());
    List<Map<String, Object>> results = JsonObjects.parse(run.out());
    assertEquals(
        Bloomery.installed().providers().variants(),
        results.stream().map(result -> result.get("variant")).toList());
    for (Map<String, Object> result : results) {
      assertEquals(10_001.0, result.get("keys"));
      assertEquals(10 * 10_000.0, result.get("absentQueried"));
      assertEquals(0.02, result.get("targetRate"));
      assertEquals(true, result.get("rateKept"));
      assertEquals(0.0, result.get("falseNegatives"));
    }
  }

  @Test
  void keysMayBeColumnsInAnyCase() {
    String table = "id,name\n1,Iron\n2,IRON\n3,bloom\n4,slag\n5,\"ore, red\"\n";
    Run run = Run.ofStandard(table, "compare", "--csv", "name", "--ignore-case");
    assertTrue(run.out().startsWith("2 of 4 different lines; "), run.out() + run.err());
    run.assertEnds(ExitCode.OK);
  }

  @Test
  void theTableSaysWhatWasPutAndWhichIsBest() {
    Run run =
        Run.withInput(lines(0, 4_000) + lines(0, 100), "compare", "--fpp", "0.0000001")
            .assertEnds(ExitCode.OK);
    assertTrue(
        run.out()
            .startsWith(
                "2,000 of 4,000 different lines; the others are certainly not among them.\n"),
        run.out());
    assertTrue(run.out().contains("\ncounting cannot: rate of a counting filter must"), run.out());
    assertTrue(
        run.out()
            .matches(
                "(?s).*\nSmallest: fuse, 30\\.\\d\\d bits a key.*"
                    + "\nNo fastest is named: not all of these filters .*"
                    + "\n  23 reads: standard\n.*"
                    + "\nNo filter is needed for 2,000 keys: a HashSet of them takes .*\n"),
        run.out());
  }

  @Test
  void aPromiseThatIsBrokenShowsInTheExitCode() {
    byte[] input = lines(0, 30_000).getBytes(StandardCharsets.US_ASCII);
    Run.with(
            new ByteArrayInputStream(input),
            () -> Bloomery.with(new SetVariant(SetVariant.Fault.FORGETS_ONE_IN_A_THOUSAND)),
            "compare")
        .assertEnds(ExitCode.NONE);
  }

  @Test
  void whatCannotBeComparedIsRefused() {
    for (String input : new String[] {"", "a", "a\na\n"}) {
      Run run = Run.withInput(input, "compare");
      assertTrue(run.err().startsWith("bloomery: there must be two different lines"), run.err());
      run.assertEnds(ExitCode.USAGE);
    }
    Run.assertFails(
        ExitCode.USAGE,
        "rate must be between 0 and 1 (exclusive), but was 3.0; for 3.0 % write 0.03",
        Run.withInput("a\nb\n", "compare", "--fpp", "3"));
    Run.of("compare", "nowhere").assertEnds(ExitCode.BAD_FILE);
  }
}
