package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.cli.session.ExitCode;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManPagesTest {

  private static final Map<String, String> PAGES = ManPages.all("2026-01-02T00:00:00Z");

  private static List<String> commands(Object... group) {
    return Run.of(Stream.concat(Stream.of(group), Stream.of("--help")).toArray())
        .out()
        .lines()
        .dropWhile(line -> !line.equals("Commands:"))
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .filter(line -> line.matches("  \\S.*"))
        .map(line -> line.strip().replaceAll(" .*", ""))
        .toList();
  }

  /** Returns those of groups, too, by both of their names. */
  private static Stream<String> allCommands() {
    return Stream.concat(
        commands().stream(), commands("redis").stream().map(command -> "redis " + command));
  }

  @Test
  void commandsAreListedInTheOrderOfUse() {
    assertEquals(Main.NAMES, commands());
    assertEquals(List.of("info", "list", "add", "rebuild", "accept", "delete"), commands("redis"));
  }

  @Test
  void eachCommandHasAPageAndAnExample() {
    assertEquals(
        new TreeSet<>(
            Stream.concat(
                    Stream.of("bloomery.1"),
                    allCommands().map(command -> "bloomery-" + command.replace(' ', '-') + ".1"))
                .toList()),
        new TreeSet<>(PAGES.keySet()));
    for (String command : allCommands().toList()) {
      String page = PAGES.get("bloomery-" + command.replace(' ', '-') + ".1");
      assertTrue(page.contains("\n.SH \"EXAMPLES\"\n.PP\n.nf\n  "), page);
      assertTrue(page.contains("\n.SH \"EXIT STATUS\"\n"), page);
      assertTrue(page.contains("bloomery " + command.replace("-", "\\-")), page);
      Run help = Run.of((Object[]) (command + " --help").split(" ", -1));
      assertTrue(help.out().contains("\nExample"), help.out());
      assertTrue(help.out().startsWith("Usage: bloomery " + command + " "), help.out());
      assertEquals("", help.err());
      help.assertEnds(ExitCode.OK);
    }
  }

  @Test
  void aPageSaysWhatTheHelpSays() {
    String page = PAGES.get("bloomery-create.1");
    assertTrue(
        page.startsWith(".TH \"BLOOMERY\\-CREATE\" \"1\" \"2026\\-01\\-02\" \"bloomery "), page);
    assertTrue(PAGES.values().stream().noneMatch(text -> text.contains("on Java")));
    assertTrue(page.contains("\nbloomery\\-create \\- Make a filter whose keys are the"), page);
    assertTrue(
        page.contains(
            "\\fB\\-o, \\-\\-output=FILE\\fR\nWhere to save the filter; \\- is the standard"),
        page);
    assertTrue(
        page.contains("blocked, counting, counting\\-fast, fuse, partitioned, scalable, standard"),
        page);
    assertTrue(page.contains("bloomery\\-check(1)"), page);
    assertTrue(page.contains("\\fB\\-\\-format=FORMAT\\fR\n"), page);
    for (ForeignFormat format : ForeignFormat.values()) {
      assertTrue(page.contains(format.id().replace("-", "\\-")), page);
    }
    assertTrue(PAGES.get("bloomery.1").contains("\n.SH \"EXIT STATUS\"\n"), page);
  }

  @Test
  void groffHasNothingToComplainOf(@TempDir Path folder) throws IOException, InterruptedException {
    Shell shell = new Shell(folder).with("LC_ALL", "C.UTF-8");
    assumeTrue(shell.run("command -v groff").exitCode() == 0);
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
      Run answer = shell.run("groff -man -ww -Tutf8 -P-c " + page.getKey());
      assertEquals("", answer.err(), page.getKey());
      assertTrue(answer.out().contains("  bloomery "), answer.out());
    }
  }
}
