package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive of classes that the launcher keeps in the cache of its user. Which one it makes and
 * takes is seen with a substitute for Java, that Java starts from it with Java itself.
 */
@Tag("jar")
class ArchiveProcessTest {

  private static final String COMMAND = "sh ./bloomery check";
  private static final String TAKEN = "-XX:SharedArchiveFile=";
  private static final String UNTIL_MADE =
      "; while [ -n \"$(find .cache -name '*.new')\" ]; do sleep 0.02; done";
  private static final String UNTIL_FAILED =
      "; until grep -q -e -Xshare:on calls; do sleep 0.02; done"
          + "; while [ -n \"$(ls .cache/bloomery/*.new)\" ]; do sleep 0.02; done";

  @TempDir private Path folder;
  private Path archives;
  private Path calls;
  private Shell shell;

  @BeforeEach
  void installTheScriptAlone() throws Exception {
    archives = folder.resolve(".cache/bloomery");
    calls = folder.resolve("calls");
    Files.copy(Path.of("src/main/sh/bloomery.sh"), folder.resolve("bloomery"));
    shell =
        new Shell(folder)
            .with("BLOOMERY_CACHE", null)
            .with("JAVA_OPTS", null)
            .with("XDG_CACHE_HOME", null)
            .with("HOME", folder.toString())
            .with("JAVA_HOME", "jdk");
    writeJava(25);
  }

  /** Writes a Java that makes archives as its version does: one of version 0 makes none. */
  private void writeJava(int version) throws IOException {
    Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        echo "$*" >>'%s'
        for option; do
          case $option-%d in
            -XX:AOTCacheOutput=*-25 | -XX:ArchiveClassesAtExit=*-17)
              echo "$*" | tee "${option#*=}"
              exit
              ;;
            -XX:AOTCacheOutput=* | -XX:ArchiveClassesAtExit=* | -Xshare:on-0) exit 1 ;;
            -Dbloomery.launcher=*) exit ${CODE:-100} ;;
          esac
        done
        """
            .formatted(calls, version));
    assertTrue(java.toFile().setExecutable(true));
    Files.setLastModifiedTime(java, FileTime.fromMillis(version * 1000L));
  }

  /** Returns the archive that a silent run took, or an empty text. */
  private String run(String line) throws Exception {
    Files.deleteIfExists(calls);
    Run answer = shell.run(line);
    assertEquals("", answer.out() + answer.err(), line);
    String options = Files.readAllLines(calls).get(0);
    int from = options.indexOf(TAKEN);
    return from < 0 ? "" : options.substring(from + TAKEN.length()).replaceAll(" -.*", "");
  }

  private List<Path> made() throws IOException {
    if (!Files.isDirectory(archives)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(archives)) {
      return files.filter(file -> !file.toString().endsWith(".new")).sorted().toList();
    }
  }

  @Test
  void theFirstRunMakesOneAndTheNextStartsFromIt() throws Exception {
    for (int version : new int[] {25, 17}) {
      writeJava(version);
      assertEquals("", run(COMMAND + UNTIL_MADE));
      Path archive = Path.of(run(COMMAND));
      assertTrue(archive.toString().endsWith(version == 25 ? ".aot" : ".jsa"), archive.toString());
      assertTrue(Files.readString(archive).contains(".Training "), archive.toString());
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)));
    }
  }

  @Test
  void oneThatOthersMayWriteIsNotUsed() throws Exception {
    run(COMMAND + UNTIL_MADE);
    String archive = run(COMMAND);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Integer> others =
        Stream.concat(
                Stream.of(002, 020, 040, 01007),
                IntStream.range(0, 4).mapToObj(i -> random.nextInt(0100)))
            .toList();
    for (int bits : others) {
      for (String path : List.of(archive, ".cache/bloomery", ".cache", ".")) {
        int own = path.equals(archive) ? 0600 : 0700;
        boolean isPrivate = path.equals(archive) || path.equals(".cache/bloomery");
        boolean isSafe = isPrivate ? bits == 0 : (bits & 022) == 0 || (bits & 01000) != 0;
        String mode = Integer.toOctalString(own | bits);
        String taken =
            run(
                "chmod "
                    + mode
                    + " '"
                    + path
                    + "'; "
                    + COMMAND
                    + "; chmod "
                    + Integer.toOctalString(own)
                    + " '"
                    + path
                    + "'");
        assertEquals(isSafe ? archive : "", taken, path + " " + mode + ", seed " + seed);
        assertEquals(1, made().size());
      }
    }
    assertEquals(
        "",
        run(
            "mv '"
                + archive
                + "' kept; ln -s \"$PWD/kept\" '"
                + archive
                + "'; "
                + COMMAND
                + UNTIL_MADE));
  }

  @Test
  void anotherJarOrJavaHasAnother() throws Exception {
    run(COMMAND + UNTIL_MADE);
    List<String> changes =
        List.of(
            "echo '#' >>bloomery",
            "touch -d 2001-01-01 bloomery",
            "echo '#' >>jdk/bin/java",
            "touch -d 2001-01-01 jdk/bin/java");
    for (String change : changes) {
      String before = run(COMMAND);
      assertTrue(!before.isEmpty(), change);
      assertEquals("", run(change + "; " + COMMAND + UNTIL_MADE));
      assertTrue(!run(COMMAND).equals(before), change);
    }
    assertEquals(3, made().size(), "the newest are kept");
  }

  @Test
  void oneThatWasTruncatedOrCrashesIsMadeAgain() throws Exception {
    run(COMMAND + UNTIL_MADE);
    String archive = run(COMMAND);
    assertEquals("", run(": >'" + archive + "'; " + COMMAND + UNTIL_MADE));
    assertEquals(archive, run(COMMAND));
    assertEquals(archive, run("CODE=134 " + COMMAND));
    assertEquals(List.of(), made());
  }

  @Test
  void ofRunsAtOnceOneMakesIt() throws Exception {
    run("for i in 1 2 3 4 5 6; do " + COMMAND + " & done; wait" + UNTIL_MADE);
    String trained = Files.readString(calls);
    assertEquals(1, trained.split("-XX:AOTCacheOutput", -1).length - 1, trained);
    assertEquals(made(), List.of(Path.of(run(COMMAND))));
  }

  @Test
  void whereNoneCanBeMadeTheCommandRunsAsBefore() throws Exception {
    String noHome = "HOME=%s " + COMMAND;
    for (String line :
        List.of(
            "BLOOMERY_CACHE=off " + COMMAND,
            "JAVA_OPTS=-Xshare:auto " + COMMAND,
            "JAVA_TOOL_OPTIONS=-XX:AOTMode=auto " + COMMAND,
            "unset HOME; " + COMMAND,
            noHome.formatted(""),
            noHome.formatted("/nowhere"),
            noHome.formatted("/proc"),
            noHome.formatted("\"$PWD/bloomery\""),
            "XDG_CACHE_HOME=relative " + COMMAND,
            "CODE=139 " + COMMAND + " || [ $? = 139 ]")) {
      assertEquals("", run(line));
    }
    assertEquals(List.of(), made());
  }

  @Test
  void whatFailedIsTriedAgainTheNextDay() throws Exception {
    writeJava(0);
    run(COMMAND + UNTIL_FAILED);
    run(COMMAND);
    assertEquals(1, Files.readAllLines(calls).size());
    run("touch -d '2 days ago' .cache/bloomery/*.new; " + COMMAND);
    run(COMMAND + UNTIL_FAILED);
    assertEquals(List.of(), made());
  }

  @Test
  void javaStartsFromIt() throws Exception {
    startFromIt(Path.of(System.getProperty("java.home")));
  }

  @Test
  @Tag("nightly")
  void java25StartsFromIt() throws Exception {
    Optional<Path> java = java25();
    assumeTrue(java.isPresent(), "no Java 25 or newer beside the Java of the tests");
    startFromIt(java.get());
  }

  private static Optional<Path> java25() throws IOException {
    try (Stream<Path> homes = Files.list(Path.of(System.getProperty("java.home")).getParent())) {
      return homes.filter(home -> version(home) >= 25).findFirst();
    }
  }

  private static int version(Path home) {
    try {
      String release = Files.readString(home.resolve("release"));
      return Integer.parseInt(release.replaceAll("(?s).*JAVA_VERSION=\"(\\d+).*", "$1"));
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  private void startFromIt(Path java) throws Exception {
    Files.delete(folder.resolve("bloomery"));
    Files.createSymbolicLink(
        folder.resolve("bloomery"), Path.of(System.getProperty("bloomery.jar")).toAbsolutePath());
    shell.with("JAVA_HOME", java.toString());
    Run first = shell.run("seq 9 >in; sh ./bloomery create -q -o filter in" + UNTIL_MADE);
    assertEquals("", first.out() + first.err());
    Path archive = made().get(0);
    String check = "seq 8 11 | sh ./bloomery check filter; echo $?";
    assertEquals(new Run(0, "8\n9\n0\n", ""), shell.run(check));
    Run loaded =
        shell
            .run("seq 10 11 | JAVA_OPTS=-Xlog:class+load sh ./bloomery check filter")
            .assertEnds(1);
    List<String> ours =
        loaded
            .out()
            .lines()
            .filter(line -> line.contains(" io.bloomery.") || line.contains(" picocli."))
            .toList();
    long taken = ours.stream().filter(line -> line.contains("shared objects file")).count();
    assertTrue(taken > ours.size() * 0.9, taken + " of " + ours.size());

    byte[] broken = new byte[(int) Files.size(archive)];
    Files.write(archive, broken);
    assertEquals(new Run(0, "8\n9\n0\n", ""), shell.run(check));
    Files.delete(folder.resolve("bloomery"));
  }
}
