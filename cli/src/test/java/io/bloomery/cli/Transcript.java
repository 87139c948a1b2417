package io.bloomery.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a Markdown page with commands and their output: either blocks of {@code sh}, each
 * followed by one of {@code text} if it prints anything, or blocks of {@code console}, where
 * commands follow a dollar sign. Standard output and standard error are combined, as on a terminal.
 */
final class Transcript {

  private static final Pattern SCRIPT =
      Pattern.compile("```sh\n(.*?)```\n(?:\n```text\n.*?```\n)?", Pattern.DOTALL);
  private static final Pattern SESSION = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern TYPED = Pattern.compile("\\$ (.*\n)((?!\\$ ).*\n)*");

  private final Shell shell;
  private final Path script;

  /**
   * Creates a transcript that runs commands by {@code shell}, writing each block to {@code script}.
   */
  Transcript(Shell shell, Path script) {
    this.shell = shell;
    this.script = script;
  }

  /** Runs all blocks of {@code sh}, and returns the text with their current output. */
  String scripts(String text) throws Exception {
    StringBuilder now = new StringBuilder();
    Matcher blocks = SCRIPT.matcher(text);
    int done = 0;
    while (blocks.find()) {
      String printed = run(blocks.group(1));
      now.append(text, done, blocks.end(1)).append("```\n");
      if (!printed.isEmpty()) {
        now.append("\n```text\n").append(printed).append("```\n");
      }
      done = blocks.end();
    }
    return now.append(text, done, text.length()).toString();
  }

  /**
   * Runs all commands in blocks of {@code console}, and returns the text with their current output.
   */
  String sessions(String text) throws Exception {
    StringBuilder now = new StringBuilder();
    Matcher blocks = SESSION.matcher(text);
    int done = 0;
    while (blocks.find()) {
      now.append(text, done, blocks.start(1));
      Matcher typed = TYPED.matcher(blocks.group(1));
      while (typed.find()) {
        now.append("$ ").append(typed.group(1)).append(run(typed.group(1)));
      }
      done = blocks.end(1);
    }
    return now.append(text, done, text.length()).toString();
  }

  private String run(String commands) throws IOException, InterruptedException {
    Files.writeString(script, commands);
    Run answer = shell.run("bash -e '" + script + "' 2>&1");
    if (answer.exitCode() != 0) {
      throw new AssertionError(
          "ended with " + answer.exitCode() + ":\n" + commands + answer.out() + answer.err());
    }
    String printed = answer.out();
    return printed.isEmpty() || printed.endsWith("\n") ? printed : printed + "\n";
  }
}
