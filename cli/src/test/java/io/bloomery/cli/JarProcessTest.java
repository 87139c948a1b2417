package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the finished jar as a process: on a full disk, and on a terminal. */
class JarProcessTest {

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void createAFilterOfManyWords() throws Exception {
    shell = new Shell(folder);
    PronounceableWords.write(folder.resolve("words.txt"), 0, 100_000);
    bloomery("create -q -o words.bloom words.txt").assertEnds(ExitCode.OK);
  }

  private Run bloomery(String arguments) throws Exception {
    return shell.runWithJar("bloomery " + arguments);
  }

  /** A limit on the size of files simulates a full disk: writing fails in the middle. */
  @Test
  void aDiskThatIsFullCostsNothing() throws Exception {
    byte[] before = Files.readAllBytes(folder.resolve("words.bloom"));
    shell.with("OPTS", "-XX:-UsePerfData");
    for (String arguments :
        new String[] {"add words.bloom words.txt", "create -o never.bloom words.txt"}) {
      Run run = shell.runWithJar("ulimit -f 100; bloomery " + arguments);
      run.assertEnds(ExitCode.BAD_FILE);
      assertTrue(
          run.err().matches("bloomery: cannot save \\w+.bloom: .*; nothing was changed, .*\n"),
          run.err());
    }
    assertArrayEquals(before, Files.readAllBytes(folder.resolve("words.bloom")));
    try (Stream<Path> files = Files.list(folder)) {
      assertTrue(
          files
              .map(Path::getFileName)
              .noneMatch(file -> file.toString().matches(".*(never|tmp).*")));
    }
    shell
        .runWithJar("ulimit -f 100; bloomery check words.bloom words.txt >selected")
        .assertEnds(ExitCode.BAD_FILE, "bloomery: cannot write the output: ");
  }

  @Test
  void progressIsShownOnATerminalOnly() throws Exception {
    Run unwatched = bloomery("add words.bloom words.txt");
    assertFalse(unwatched.err().contains("\r"), unwatched.err());
    shell.with("OPTS", "-Dbloomery.terminal=true");
    Run watched = bloomery("add words.bloom words.txt").assertEnds(ExitCode.OK, "\r", "lines");
    assertEquals("", watched.out() + unwatched.out());
  }

  @Test
  void theJarIsOneProgramWithAllItNeeds() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("bloomery.jar"))) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("io.bloomery.cli.Main", manifest.getValue(Attributes.Name.MAIN_CLASS));
      assertEquals("true", manifest.getValue(Attributes.Name.MULTI_RELEASE));
      assertTrue(jar.stream().noneMatch(entry -> entry.getName().endsWith("module-info.class")));
      assertTrue(jar.stream().noneMatch(entry -> entry.getName().matches(".*\\.(SF|DSA|RSA)")));
    }
  }
}
