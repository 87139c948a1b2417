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
    Run.assertFails(
        ExitCode.USAGE, "unknown command 'creat'; did you mean 'create'?", Run.of("help", "creat"));
    Run.assertFails(
        ExitCode.USAGE,
        "one argument too many: 'check'; try 'bloomery help --help'",
        Run.of("help", "create", "check"));
  }
}
