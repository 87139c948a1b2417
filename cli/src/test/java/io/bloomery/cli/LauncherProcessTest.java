package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the launcher in a small source tree, where a substitute for Maven records that it was called
 * and then puts a script in the place of the finished jar, which is one for the shell too: how that
 * starts is a matter of {@link ExecutableJarProcessTest}.
 */
class LauncherProcessTest {

  private static final String BUILDING = "bloomery: building the command, which takes a moment\n";

  @TempDir private Path folder;
  private Path root;
  private Path tools;
  private Path calls;
  private Shell shell;

  @BeforeEach
  void makeTree() throws IOException {
    root = Files.createDirectory(folder.resolve("a tree"));
    calls = root.resolve("calls");
    Files.copy(
        Path.of(System.getProperty("bloomery.launcher")),
        root.resolve("bloomery"),
        StandardCopyOption.COPY_ATTRIBUTES);
    writeSource("pom.xml", "");
    writeSource(
        "cli/pom.xml",
        "<artifactId>bloomery-cli</artifactId>\n  <artifactId>bloomery-api</artifactId>\n");
    writeSource("cli/src/main/Main.java", "");
    writeSource("api/pom.xml", "");
    writeSource("api/src/main/Api.java", "");
    writeSource("other/src/main/Other.java", "");
    tools = Files.createDirectory(folder.resolve("tools"));
    Path command = folder.resolve("command");
    Files.writeString(command, "echo \"bloomery $*\"\n[ \"$1\" = --version ] || cat\n");
    writeMaven(command.toString());
    shell =
        new Shell(folder)
            .with("JAVA_HOME", System.getProperty("java.home"))
            .with("PATH", tools + ":" + System.getenv("PATH"));
  }

  private Path writeSource(String name, String content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    FileTime old = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    Files.setLastModifiedTime(file.getParent(), old);
    return Files.setLastModifiedTime(file, old);
  }

  private void writeTool(String name, String... lines) throws IOException {
    Path tool = tools.resolve(name);
    Files.writeString(tool, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void writeMaven(String command) throws IOException {
    writeTool(
        "mvn",
        "echo \"$@\" >>'" + calls + "'",
        "cat >/dev/null",
        "mkdir -p '" + root + "/cli/target'",
        "cp '" + command + "' '" + root + "/cli/target/bloomery.jar'");
  }

  private int countCalls() throws IOException {
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  private static void assertRuns(String err, Run answer) {
    assertEquals(err, answer.err());
    assertTrue(answer.out().startsWith("bloomery "), answer.out());
    answer.assertEnds(0);
  }

  @Test
  void theFirstUseBuildsAndLaterOnesDoNot() throws Exception {
    assertRuns(BUILDING, shell.run("'a tree/bloomery' --version"));
    assertEquals(
        List.of("-B -q -ntp -f " + root + "/pom.xml -DskipTests -pl cli -am package"),
        Files.readAllLines(calls));
    assertRuns("", shell.run("'a tree/bloomery' --version"));
    assertEquals(1, countCalls());
  }

  @Test
  void aChangeInAModuleOfTheCommandBuildsAgain() throws Exception {
    shell.run("'a tree/bloomery' --version");
    FileTime later = FileTime.from(Instant.now().plusSeconds(3600));
    int builds = 1;
    for (String name :
        List.of("pom.xml", "cli/pom.xml", "api/pom.xml", "api/src/main/Api.java", "cli/src/main")) {
      Path source = root.resolve(name);
      FileTime before = Files.getLastModifiedTime(source);
      Files.setLastModifiedTime(source, later);
      assertRuns(BUILDING, shell.run("'a tree/bloomery' --version"));
      assertEquals(++builds, countCalls(), name);
      Files.setLastModifiedTime(source, before);
    }
    Files.setLastModifiedTime(root.resolve("other/src/main/Other.java"), later);
    assertRuns("", shell.run("'a tree/bloomery' --version"));
    assertEquals(builds, countCalls());
  }

  @Test
  void itIsFoundThroughLinksAndWorksWhereItIsCalled() throws Exception {
    writeMaven(System.getProperty("bloomery.jar"));
    Path elsewhere = Files.createDirectory(folder.resolve("else where"));
    Files.createSymbolicLink(tools.resolve("bloomery"), Path.of("../second"));
    Files.createSymbolicLink(folder.resolve("second"), root.resolve("bloomery"));
    Files.writeString(elsewhere.resolve("in"), "a\n");
    Run answer =
        shell.run(
            "cd 'else where' && bloomery create -o out in && PATH=\"$PATH\" bloomery verify out");
    assertEquals("out: ok\n", answer.out(), answer.err());
    assertTrue(Files.exists(elsewhere.resolve("out")));
  }

  @Test
  void theBuildDoesNotReadWhatIsForTheCommand() throws Exception {
    Run answer = shell.run("echo iron | 'a tree/bloomery' create 'two words' --nothing-else '*'");
    assertEquals("bloomery create two words --nothing-else *\niron\n", answer.out(), answer.err());
  }

  @Test
  void aFailedBuildShowsItsLogAndIsTriedAgain() throws Exception {
    writeTool("mvn", "echo 'the log of the build'", "exit 1");
    for (int i = 0; i < 2; i++) {
      Run answer = shell.run("'a tree/bloomery' --version").assertEnds(70);
      assertEquals("", answer.out());
      assertEquals(
          BUILDING + "the log of the build\n" + "bloomery: could not be built; the log is above\n",
          answer.err());
    }
  }

  @Test
  void missingToolsAreNamed() throws Exception {
    Run.assertFails(
        70,
        "cannot find '/nowhere/bin/java'; install Java 17 or newer, or set JAVA_HOME",
        shell.run("JAVA_HOME=/nowhere 'a tree/bloomery' --version"));
    Files.delete(tools.resolve("mvn"));
    for (String tool : List.of("dirname", "readlink", "sed", "find", "mkdir", "ln", "rm")) {
      writeTool(tool, "PATH='" + System.getenv("PATH") + "' exec " + tool + " \"$@\"");
    }
    Run.assertFails(
        70,
        "is not built yet and cannot find 'mvn'; install Maven 3.8.7 or newer",
        shell.run("PATH='" + tools + "' 'a tree/bloomery' --version"));
  }

  @Test
  void anOldJavaIsRefused() throws Exception {
    shell.with("JAVA_HOME", null);
    for (String version : List.of("1.8.0_412", "11.0.2")) {
      writeTool("java", "echo 'openjdk version \"" + version + "\" 2019-01-15' >&2");
      Run answer = shell.run("'a tree/bloomery' --version").assertEnds(70);
      assertTrue(
          answer
              .err()
              .matches("bloomery: needs Java 17 or newer, but 'java' is version (8|11); .*\n"),
          answer.err());
    }
  }

  @Test
  void aJavaIsAskedForItsVersionOnce() throws Exception {
    shell.run("'a tree/bloomery' --version");
    shell.with("JAVA_HOME", null);
    Path asked = folder.resolve("asked");
    String real = "exec '" + System.getProperty("java.home") + "/bin/java' \"$@\"";
    writeTool("java", "[ \"$1\" != -version ] || echo >>'" + asked + "'", real);
    for (int i = 0; i < 3; i++) {
      assertRuns("", shell.run("'a tree/bloomery' --version"));
    }
    assertEquals(1, Files.readAllLines(asked).size());
  }

  @Test
  void firstUsesAtTheSameTimeBuildOnce() throws Exception {
    Process one = shell.start("'a tree/bloomery' --version");
    Process other = shell.start("'a tree/bloomery' --version");
    for (Process process : List.of(one, other)) {
      assertTrue(process.waitFor(600, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
      assertTrue(
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .startsWith("bloomery "));
    }
    assertEquals(1, countCalls());
  }

  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aBuildUnderWayIsAwaited() throws Exception {
    Path home = Files.createDirectories(root.resolve("cli/target/launcher"));
    Path lock = home.resolve("lock");
    long builder = ProcessHandle.current().pid();
    Files.createSymbolicLink(lock, Path.of(Long.toString(builder)));
    Process process = shell.start("'a tree/bloomery' --version");
    try (BufferedReader err = process.errorReader(StandardCharsets.US_ASCII)) {
      assertEquals(
          "bloomery: waiting for process " + builder + ", which builds the command",
          err.readLine());
      Files.copy(folder.resolve("command"), home.resolve("bloomery.jar"));
      Files.delete(lock);
      assertEquals(0, process.waitFor());
    }
    assertEquals(0, countCalls());
    assertFalse(Files.exists(lock));
  }

  @Test
  void aBuildThatWasKilledDoesNotBlock() throws Exception {
    Process dead = shell.start("true");
    dead.waitFor();
    Path home = Files.createDirectories(root.resolve("cli/target/launcher"));
    Files.createSymbolicLink(home.resolve("lock"), Path.of(Long.toString(dead.pid())));
    assertRuns(BUILDING, shell.run("'a tree/bloomery' --version"));
    assertEquals(1, countCalls());
  }

  @Test
  void aTreeInAFolderWithAColonInItsNameRunsButIsNotBuilt() throws Exception {
    shell.run("'a tree/bloomery' --version");
    Path moved = Files.move(root, folder.resolve("8:00 tree"));
    assertRuns("", shell.run("'8:00 tree/bloomery' --version"));
    Files.delete(moved.resolve("cli/target/launcher/bloomery.jar"));
    Run.assertFails(
        70,
        "cannot be built in '"
            + moved
            + "', as Java takes a colon for the end of a name; move the source tree to a folder"
            + " without one",
        shell.run("'8:00 tree/bloomery' --version"));
  }
}
