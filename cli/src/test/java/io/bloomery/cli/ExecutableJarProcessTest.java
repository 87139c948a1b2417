package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the finished jar as an executable, without naming Java. */
class ExecutableJarProcessTest {

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void linkTheJar() throws Exception {
    Path place = Files.createDirectory(folder.resolve("a place"));
    Files.createSymbolicLink(
        place.resolve("bloomery"), Path.of(System.getProperty("bloomery.jar")).toAbsolutePath());
    shell =
        new Shell(folder)
            .with("JAVA_HOME", System.getProperty("java.home"))
            .with("PATH", place + ":" + System.getenv("PATH"));
  }

  /** Otherwise JUnit warns about a link that leads out of its folder. */
  @AfterEach
  void removeTheLink() throws IOException {
    for (String place : List.of("a place", "8:00 place")) {
      Files.deleteIfExists(folder.resolve(place).resolve("bloomery"));
    }
  }

  @Test
  void itRunsByItsPathByItsNameAndAsAJar() throws Exception {
    String java = "'" + System.getProperty("java.home") + "/bin/java'";
    for (String command :
        new String[] {
          "'a place/bloomery'",
          "bloomery",
          "sh 'a place/bloomery'",
          java + " -jar 'a place/bloomery'"
        }) {
      Run answer = shell.run(command + " --version");
      assertEquals("", answer.err(), command);
      assertTrue(answer.out().startsWith("bloomery "), answer.out());
      answer.assertEnds(0);
    }
  }

  @Test
  void itTakesOptionsForJavaAndAClosedInput() throws Exception {
    Run memory = shell.run("JAVA_OPTS='-Xmx64m -XshowSettings:vm' bloomery --version");
    assertTrue(memory.err().contains("Max. Heap Size: 64.00M"), memory.err());
    Run.assertFails(
        70,
        "cannot find '/nowhere/bin/java'; install Java 17 or newer, or set JAVA_HOME",
        shell.run("JAVA_HOME=/nowhere bloomery --version"));
    Files.writeString(folder.resolve("in"), "a\nb\n");

    Run closed = shell.run("bloomery create -o filter in 2>&1 && bloomery check -c -v filter <&-");
    assertTrue(closed.out().endsWith("new\n0\n"), closed.out() + closed.err());
  }

  @Test
  void variantsOfOtherPartiesAreFoundOnThePath() throws Exception {
    Path plugins = Files.createDirectory(folder.resolve("plug ins"));
    Plugin.jarOfSet(plugins.resolve("set.jar"));
    Files.writeString(folder.resolve("in"), "a\nb\n");
    shell.run("bloomery create --variant set -o out in").assertEnds(2);
    String create = "cat in | bloomery create --force --variant set -o out";
    for (String path : List.of("plug ins/set.jar", "in:plug ins/*", ":" + plugins + "/set.jar:")) {
      shell.with("BLOOMERY_PATH", path).run(create).assertEnds(0);
    }
    assertEquals("a\nb\n", shell.run("bloomery check out in").out());
    Run tested = shell.run("bloomery conformance --rule R04 --provider set");
    assertTrue(tested.out().startsWith("set: PASS 1/1"), tested.out() + tested.err());
    assertEquals("", tested.err());
    for (String path : List.of("acme.jar", "in:acme.jar:in", "acme.jar/*")) {
      Run answer = shell.with("BLOOMERY_PATH", path).run("bloomery --version");
      assertEquals(70, answer.exitCode(), path);
      assertTrue(
          answer
              .err()
              .matches(
                  "bloomery: cannot find 'acme.jar.*' of BLOOMERY_PATH; name jars or folders of"
                      + " classes, separated by colons\n"),
          answer.err());
    }
  }

  @Test
  void namesBeyondAsciiWorkWithoutALocale() throws Exception {
    shell.with("LC_ALL", null).with("LC_CTYPE", null).with("LANG", null);
    Run answer =
        shell.run(
            "file=$(printf 'gr\\303\\274n') && echo a >\"$file\""
                + " && bloomery create -o \"$file.bloom\" \"$file\""
                + " && bloomery verify \"$file.bloom\"");
    assertEquals("gr\u00fcn.bloom: ok\n", answer.out(), answer.err());
  }

  /** The Redis client logs, and would print a warning that there is no logger. */
  @Test
  void aServerThatIsNotThereIsOneErrorAndNothingElse() throws Exception {
    Files.writeString(folder.resolve("in"), "a\n");
    Run answer =
        shell.run(
            "bloomery create -q --variant blocked -o filter in"
                + " && bloomery push filter 'redis://localhost:1/0?filter=seen'");
    assertEquals("", answer.out());
    assertTrue(answer.err().startsWith("bloomery: "), answer.err());
    assertEquals(1, answer.err().lines().count(), answer.err());
  }

  /**
   * Java treats an empty entry of a class path as the current folder; the missing provider class
   * would reveal that it is searched.
   */
  @Test
  void nothingIsLoadedFromTheCurrentFolderUnlessItIsNamed() throws Exception {
    Plugin.writeService(folder, "acme.Missing");
    Plugin.jarOfSet(folder.resolve("set.jar"));
    for (String path : new String[] {"::", ":set.jar::set.jar:"}) {
      Run answer = shell.with("BLOOMERY_PATH", path).run("bloomery size --keys 1000");
      assertEquals("", answer.err(), path);
      assertEquals(path.contains("set"), answer.out().contains("\nset "), answer.out());
      answer.assertEnds(0);
    }
    Run named = shell.with("BLOOMERY_PATH", ".").run("bloomery size --keys 1000");
    assertTrue(named.err().contains("acme.Missing not found"), named.err());
  }

  @Test
  void itRunsFromAFolderWithAColonInItsName() throws Exception {
    Files.move(folder.resolve("a place"), folder.resolve("8:00 place"));
    Path program = folder.resolve("8:00 place/bloomery");
    Files.createSymbolicLink(folder.resolve("link"), program);
    Files.writeString(folder.resolve("in"), "a\nb\n");
    Plugin.jarOfSet(folder.resolve("set.jar"));
    shell.run("'" + program + "' create -q --variant standard -o out in").assertEnds(0);
    for (String command : List.of("'8:00 place/bloomery'", "sh '" + program + "'")) {
      Run answer = shell.run(command + " check out in");
      assertEquals("a\nb\n", answer.out(), answer.err());
    }
    Run added =
        shell
            .with("BLOOMERY_PATH", "set.jar")
            .run("./link create -q --force --variant set -o out in && ./link check out in");
    assertEquals("a\nb\n", added.out(), added.err());
    Run startsOthers =
        shell
            .with("BLOOMERY_PATH", null)
            .run("'" + program + "' conformance --provider standard --tier smoke --rule R66");
    assertTrue(startsOthers.out().startsWith("standard: PASS 1/1"), startsOthers.out());
  }

  /** A Java that cannot start ends with 1, and one that is only to print something with 0. */
  @Test
  void aJavaThatDoesNotRunTheCommandIsNoAnswer() throws Exception {
    Files.writeString(folder.resolve("in"), "a\n");
    shell.run("bloomery create -q -o filter in");
    Path jar = folder.resolve("a place/bloomery");
    Files.write(folder.resolve("short"), Arrays.copyOf(Files.readAllBytes(jar), 1 << 20));
    String command = "bloomery check filter in";
    for (String line :
        List.of(
            "JAVA_OPTS=-XX:Nonsense " + command,
            "JAVA_OPTS=-Xss10k " + command,
            "JAVA_OPTS=-version " + command,
            "(ulimit -v 300000; " + command + ")",
            "p=$PWD; mkdir gone && cd gone && rmdir ../gone && "
                + "bloomery check \"$p\"/filter \"$p\"/in",
            command.replace("bloomery", "sh ./short"))) {
      Run answer = shell.run(line);
      assertTrue(answer.exitCode() >= 2 && answer.exitCode() != 5, line + answer);
      assertTrue(answer.err().contains("bloomery: "), line + answer);
    }
  }

  /** Java takes both for one name, and would write and read a third one. */
  @Test
  void namesThatAreNotInTheEncodingAreRefused() throws Exception {
    Plugin.jarOfSet(folder.resolve("set.jar"));
    shell.with("LC_ALL", "C.UTF-8");
    Run made =
        shell.run(
            "a=$(printf 'A\\377') b=$(printf 'A\\376') && echo k >in"
                + " && mkdir \"$a-d\" && cp set.jar \"$a.jar\" && bloomery create -q -o in.bloom in"
                + " && bloomery create -q -o \"$a\" in; echo $?"
                + "; bloomery create -q --force -o \"$b\" in; echo $?"
                + "; bloomery check -q in.bloom \"$b-d/in\"; echo $?"
                + "; bloomery create -q --attribute \"note=$b\" -o out in; echo $?"
                + "; BLOOMERY_PATH=\"$a.jar\" bloomery size --keys 1; echo $?"
                + "; cd \"$a-d\" && bloomery create -q -o out ../in; echo $?; ls -A");
    assertEquals("2\n2\n2\n2\n2\n2\n", made.out(), made.err());
    assertEquals(6, made.err().lines().count(), made.err());
    assertTrue(made.err().contains("bloomery: the working folder must be written in"), made.err());
    assertTrue(made.err().contains("bloomery: BLOOMERY_PATH must be written in"), made.err());
    assertTrue(!Files.exists(folder.resolve("A\uFFFD")));
  }

  @Test
  void exitCodesOfTheCommandAreKept() throws Exception {
    Files.writeString(folder.resolve("in"), "a\nb\n");
    String make = "bloomery create -q --force -o filter ";
    shell.run(make + "in").assertEnds(0);
    shell.run("bloomery check --nonsense filter in").assertEnds(2);
    shell.run("bloomery check -v filter in").assertEnds(1);
    shell.run("bloomery check in filter").assertEnds(3);
    shell.run("seq 1000 | " + make + "--expected 5 --variant standard").assertEnds(5);
    Run closed = shell.run("{ seq 1000000 | bloomery dedupe; echo $? >code; } | head -1; cat code");
    assertEquals("1\n141\n", closed.out(), closed.err());
    assertEquals("", closed.err());
  }

  /** The group of processes of a terminal gets its signals, as that of setsid does here. */
  @ParameterizedTest
  @CsvSource({
    "'', INT, '', 130",
    "'', TERM, '', 143",
    "'', HUP, '', 129",
    "'', KILL, '', 137",
    "setsid, INT, -, 130"
  })
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aSignalEndsItAndItsJava(String group, String signal, String toGroup, int exitCode)
      throws Exception {
    String reset = group + " env --default-signal=INT,HUP";
    assumeTrue(shell.run(reset + " true").exitCode() == 0);
    Process process = shell.start("exec " + reset + " bloomery dedupe --window 100");
    try (OutputStream in = process.getOutputStream();
        BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      in.write("a\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
      assertEquals("a", out.readLine());
      ProcessHandle java = process.children().findFirst().orElseThrow();
      shell.run("kill -" + signal + " " + toGroup + process.pid());
      assertEquals(exitCode, process.waitFor());
      java.onExit().get();
    }
  }

  @Test
  void itTellsJavaWhoWatches() throws Exception {
    Path java = Files.createDirectories(folder.resolve("home/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\" >&3\n");
    assertTrue(java.toFile().setExecutable(true));
    shell.with("JAVA_HOME", "home").with("JAVA_OPTS", "-Done=1 -Dtwo=2");
    assertTrue(
        shell
            .run("bloomery --version 3>&1 >/dev/null")
            .out()
            .contains(
                " -Dbloomery.terminal=false -Dbloomery.terminal.out=false -Done=1 -Dtwo=2"
                    + " -Dbloomery.launcher="));
    assumeTrue(Files.exists(Path.of("/dev/ptmx")));
    for (int watched = 1; watched <= 2; watched++) {
      String answer = shell.run("bloomery --version 3>&1 1>&2 " + watched + ">/dev/ptmx").out();
      assertTrue(answer.contains("-Dbloomery.terminal=" + (watched == 2) + " "), answer);
      assertTrue(answer.contains("-Dbloomery.terminal.out=" + (watched == 1) + " "), answer);
    }
  }

  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLineIsShownBeforeTheNextOneComes() throws Exception {
    Process process = shell.start("bloomery dedupe --window 100");
    try (OutputStream in = process.getOutputStream();
        BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      for (int i = 0; i < 5; i++) {
        in.write(
            (PronounceableWords.at(i) + "\n" + PronounceableWords.at(0) + "\n")
                .getBytes(StandardCharsets.US_ASCII));
        in.flush();
        assertEquals(PronounceableWords.at(i), out.readLine());
      }
    }
    assertEquals(0, process.waitFor());
  }

  @Test
  void aPictureIsDrawnWithoutAScreen() throws Exception {
    Run answer = shell.with("DISPLAY", null).run("bloomery plot --keys 1M -o rates.png");
    assertEquals("bloomery: rates.png: drawn\n", answer.err());
    byte[] picture = Files.readAllBytes(folder.resolve("rates.png"));
    assertEquals("PNG", new String(picture, 1, 3, StandardCharsets.US_ASCII));
  }

  @Test
  void theManualIsBuilt() throws Exception {
    Path manual = Path.of(System.getProperty("bloomery.jar")).resolveSibling("man");
    try (Stream<Path> pages = Files.list(manual)) {
      assertEquals(
          new TreeSet<>(ManPages.all("2000-01-01").keySet()),
          pages
              .map(page -> page.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
  }
}
