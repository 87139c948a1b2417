package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.LineEncoding;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completes as bash does, if it is installed, by the function of the script. */
class CompletionCommandTest {

  @TempDir private Path folder;

  @BeforeEach
  void generate() throws IOException {
    Run run = Run.of("generate-completion");
    assertEquals("", run.err());
    run.assertEnds(ExitCode.OK);
    Files.writeString(folder.resolve("script"), run.out());
  }

  private Set<String> complete(String words) throws Exception {
    Files.writeString(
        folder.resolve("test"),
        "source ./script\ncompopt() { :; }\nCOMP_WORDS=("
            + words
            + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
            + "\"$(complete -p bloomery | sed 's/.*-F \\([^ ]*\\) .*/\\1/')\"\n"
            + "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    Run answer = new Shell(folder).run("bash ./test");
    assertEquals("", answer.err());
    answer.assertEnds(0);
    return new TreeSet<>(answer.out().lines().map(String::strip).toList());
  }

  private static boolean hasBash() {
    return Files.isExecutable(Path.of("/bin/bash")) || Files.isExecutable(Path.of("/usr/bin/bash"));
  }

  @Test
  void commandsOptionsAndVariantsAreCompleted() throws Exception {
    assumeTrue(hasBash());
    assertEquals(Set.of("create"), complete("bloomery cre"));
    assertEquals(
        Set.of("check", "compare", "conformance", "convert", "create"), complete("bloomery c"));
    assertEquals(Set.copyOf(Main.NAMES), complete("bloomery help ''"));
    assertEquals(Set.of("--max-bytes"), complete("bloomery dedupe --max-b"));
    assertEquals(
        Set.copyOf(Bloomery.installed().providers().variants()),
        complete("bloomery create --variant ''"));
    Set<String> formats =
        Arrays.stream(ForeignFormat.values()).map(ForeignFormat::id).collect(Collectors.toSet());
    for (String command : List.of("create", "add", "check", "info", "verify", "convert")) {
      assertEquals(formats, complete("bloomery " + command + " --format ''"));
      assertEquals(
          Set.copyOf(LineEncoding.names()), complete("bloomery " + command + " --encoding ''"));
    }
    assertEquals(formats, complete("bloomery convert --to ''"));
  }

  @Test
  void zshIsServedByTheSameScript() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("script"));
    assertTrue(lines.stream().anyMatch(line -> line.contains("bashcompinit")));
    Run help = Run.of("generate-completion", "--help");
    assertTrue(help.out().contains("source <(bloomery generate-completion)"), help.out());
  }
}
