package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.cli.session.ExitCode;
import org.junit.jupiter.api.Test;

class HelpCommandTest {

  private static void assertPrints(Run expected, Run run) {
    assertEquals("", run.err());
    run.assertEnds(ExitCode.OK);
    assertEquals(expected.out(), run.out());
  }

  @Test
  void itSaysOfEachCommandWhatThatSaysOfItself() {
    for (String name : Main.NAMES) {
      assertPrints(Run.of(name, "--help"), Run.of("help", name));
    }
    assertPrints(Run.of("--help"), Run.of("help"));
  }

  @Test
  void whatIsNoCommandIsRefused() {
    Run run = Run.of("help", "creat");
    assertEquals("bloomery: unknown command 'creat'; did you mean 'create'?\n", run.err());
    run.assertEnds(ExitCode.USAGE);
    Run two = Run.of("help", "create", "check");
    assertEquals(
        "bloomery: one argument too many: 'check'; try 'bloomery help --help'\n", two.err());
    two.assertEnds(ExitCode.USAGE);
  }
}
