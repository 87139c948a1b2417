package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTimesTest {

  private static final Instant BEGIN = Instant.parse("2026-11-25T17:00:00Z");

  @TempDir Path root;

  private void pom(String folder, String text) throws IOException {
    Files.createDirectories(root.resolve(folder));
    Files.writeString(root.resolve(folder).resolve("pom.xml"), text);
  }

  private Path report(String module, String name, String seconds) throws IOException {
    Path reports = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
    Path file = reports.resolve("TEST-" + name + ".xml");
    Files.writeString(
        file,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="%s" time="%s" tests="1">
          <testcase name="works" classname="%s" time="77.7"/>
        </testsuite>
        """
            .formatted(name, seconds, name));
    Files.setLastModifiedTime(file, FileTime.from(BEGIN));
    return file;
  }

  private void twoModules() throws IOException {
    pom("", "<module>one</module>\n<module>inner/two</module>");
    pom("one", "<tests.seconds>10</tests.seconds>");
    pom("inner/two", "<tests.seconds>1</tests.seconds>");
  }

  @Test
  void theTenSlowestAreShown() throws IOException {
    twoModules();
    for (int i = 1; i <= 12; i++) {
      report(i % 2 == 0 ? "one" : "inner/two", "T" + i, i + ".25");
    }
    String expected =
        "12 test classes took 81 seconds in all, the slowest of them:\n"
            + IntStream.rangeClosed(3, 12)
                .map(i -> 15 - i)
                .mapToObj(i -> "%5d.3  T%d  %s\n".formatted(i, i, i % 2 == 0 ? "one" : "inner/two"))
                .reduce("", String::concat);
    assertEquals(expected, TestTimes.slowest(TestTimes.read(root, BEGIN)).replace("\r\n", "\n"));
  }

  @Test
  void reportsOfEarlierBuildsDoNotCount() throws IOException {
    twoModules();
    Path old = report("one", "Old", "500");
    Files.setLastModifiedTime(old, FileTime.from(BEGIN.minusSeconds(1)));
    assertEquals(List.of(), TestTimes.read(root, BEGIN));
    assertEquals("", TestTimes.slowest(List.of()));
  }

  @Test
  void aModuleThatTakesMoreThanThreeTimesItsSecondsIsNamed() throws IOException {
    twoModules();
    report("one", "First", "20");
    report("one", "Second", "10");
    report("inner/two", "Third", "1,002.1");
    assertEquals(
        List.of(
            "tests of inner/two must take at most three times 1 seconds, but took 1002: make them faster,"
                + " move some to nightly, or change tests.seconds in its pom"),
        TestTimes.findings(root, TestTimes.read(root, BEGIN)));
  }

  @Test
  void aModuleWithTestsMustSayItsSeconds() throws IOException {
    pom("", "<module>one</module>\n<module>bare</module>");
    pom("one", "");
    pom("bare", "");
    report("one", "First", "12");
    assertEquals(
        List.of("one/pom.xml must say in tests.seconds how long its tests may take: now 12"),
        TestTimes.findings(root, TestTimes.read(root, BEGIN)));
  }

  @Test
  void everyModuleWithTestsOfItsOwnSaysItsSeconds() throws IOException {
    List<String> silent =
        TestTimes.findings(
            SourceTree.ROOT,
            TestTimes.modules(SourceTree.ROOT).stream()
                .filter(
                    module -> Files.isDirectory(SourceTree.ROOT.resolve(module + "/src/test/java")))
                .map(module -> new TestTimes.Timed(module, "Any", 0.001))
                .toList());
    assertEquals(List.of(), silent);
    assertTrue(TestTimes.modules(SourceTree.ROOT).contains("publishing"));
  }
}
