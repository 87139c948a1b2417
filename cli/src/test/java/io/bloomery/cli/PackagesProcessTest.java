package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the packages of the command, and installs and runs those that this machine supports. */
class PackagesProcessTest {

  private static final Path PACKAGES = Path.of("packages").toAbsolutePath();

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void nameWhatIsPacked() {
    shell =
        new Shell(folder)
            .with("JAVA_HOME", System.getProperty("java.home"))
            .with("PACKAGES", PACKAGES.toString())
            .with("JAR", System.getProperty("bloomery.jar"))
            .with("MANUALS", Path.of("target/man").toAbsolutePath().toString());
  }

  private String run(String line) throws Exception {
    Run answer = shell.run(line).assertEnds(0);
    return answer.out();
  }

  @Test
  void theDebianPackageIsInstalledAndRuns() throws Exception {
    assumeTrue(shell.run("command -v dpkg dpkg-deb").exitCode() == 0, "no dpkg on this machine");
    run("\"$PACKAGES/make-deb\" 1.2.0-beta.1 \"$JAR\" \"$MANUALS\" one");
    run("\"$PACKAGES/make-deb\" 1.2.0-beta.1 \"$JAR\" \"$MANUALS\" two");
    Path deb = folder.resolve("one/bloomery_1.2.0~beta.1_all.deb");
    assertEquals(-1, Files.mismatch(deb, folder.resolve("two/bloomery_1.2.0~beta.1_all.deb")));
    String depends = run("dpkg-deb -f one/*.deb Depends");
    assertTrue(depends.contains("default-jre-headless (>= 2:1.17)"), depends);
    // Only root may install, even into a folder of its own.
    run(
        "if [ \"$(id -u)\" = 0 ]; then"
            + " mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info;"
            + " : >root/var/lib/dpkg/status;"
            + " dpkg --root=\"$PWD/root\" --force-depends -i one/*.deb;"
            + " else dpkg-deb -x one/*.deb root; fi");
    assertTrue(run("root/usr/bin/bloomery --version").startsWith("bloomery "));
    run("printf 'a\\nb\\n' >in && root/usr/bin/bloomery create -q -o filter in");
    assertEquals("a\nb\n", run("root/usr/bin/bloomery check filter in"));
    assertTrue(run("gzip -dc root/usr/share/man/man1/bloomery-check.1.gz").contains(".TH"));
    run("bash -n root/usr/share/bash-completion/completions/bloomery");
    assertTrue(Files.exists(folder.resolve("root/usr/share/doc/bloomery/copyright")));
  }

  @Test
  void theFormulaNamesTheJarAndItsSum() throws Exception {
    assumeTrue(shell.run("command -v sha256sum").exitCode() == 0, "no sha256sum");
    String formula = run("\"$PACKAGES/make-formula\" 1.2.0 \"$JAR\"");
    assertTrue(formula.contains("/download/v1.2.0/bloomery-cli-1.2.0-standalone.jar\""), formula);
    String sum = run("sha256sum \"$JAR\"").substring(0, 64);
    assertTrue(formula.contains("sha256 \"" + sum + "\""), formula);
    assertTrue(!formula.contains("@"), formula);
  }

  /** As far as it can be checked without Windows. */
  @Test
  void theLauncherForWindowsIsLikeThatOfTheJar() throws Exception {
    String text = Files.readString(PACKAGES.resolve("bloomery.cmd"), StandardCharsets.US_ASCII);
    assertEquals(text.lines().count(), text.split("\r\n", -1).length - 1L, "not all lines end so");
    String script = Files.readString(Path.of("src/main/sh/bloomery.sh"));
    for (String shared :
        List.of(
            "-XX:+UseSerialGC",
            "-Dbloomery.launcher=",
            "io.bloomery.cli.Main",
            "BLOOMERY_PATH",
            "JAVA_OPTS",
            "170",
            "Java could not start, or ended by itself with exit code ")) {
      assertTrue(text.contains(shared) && script.contains(shared), shared);
    }
    assertTrue(text.startsWith("@echo off\r\n"), text);
    assertEquals(words(text, "goto (\\w+)"), words(text, "(?m)^:(\\w+)"));
    // Except in comments, paths are quoted, since they may contain spaces.
    text.lines()
        .filter(line -> !line.startsWith("rem "))
        .filter(
            line -> Pattern.compile("(?<![\"=])%(jar|java|path_of_classes)%").matcher(line).find())
        .forEach(line -> assertEquals("", line));
    assertEquals(4, text.split("exit /b 70", -1).length - 1);
    for (String label : words(text, "(?m)^:(\\w+)")) {
      assertTrue(
          text.matches("(?s).*\r\n(goto|exit) [^\r\n]*\r\n\r\n:" + label + "\r.*")
              || label.equals("run")
              || label.equals("look_for_java"),
          label + " is run into");
    }
  }

  private static Set<String> words(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
