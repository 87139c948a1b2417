package io.bloomery.cli.filter;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.Overlap;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OverlapCommandTest {

  @TempDir private Path folder;
  private Path first;
  private Path second;

  @BeforeEach
  void name() {
    first = folder.resolve("first.bloom");
    second = folder.resolve("second.bloom");
  }

  private void create(String options) {
    Run.piped(lines(0, 1_000), "create -o %s --expected 1000" + options, first);
    Run.piped(lines(800, 1_200), "create -o %s --expected 1000" + options, second);
  }

  private BloomFilter<String> open(Path file) throws IOException {
    return Bloomery.strings().open(file);
  }

  static Stream<String> variants() {
    FilterSpec spec = FilterSpec.of(9, 0.01);
    return Bloomery.installed().providers().all().stream()
        .filter(each -> each.create(spec, ThreadMode.SHARED).overlapBits().isPresent())
        .map(FilterProvider::variant);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void theObjectHasWhatTheLibrarySays(String variant) throws IOException {
    create(" --variant " + variant);
    Overlap overlap = Overlap.of(open(first).filter(), open(second).filter()).orElseThrow();

    Run run = Run.of("overlap", first, second, "--json").assertEnds(ExitCode.OK);
    Map<String, Object> object = run.json();
    assertEquals(first.toString(), object.get("first"));
    assertEquals(second.toString(), object.get("second"));
    assertEquals(0.95, object.get("confidence"));
    check(overlap.keys(), "firstKeys", object);
    check(overlap.otherKeys(), "secondKeys", object);
    check(overlap.union(), "eitherKeys", object);
    check(overlap.common(), "bothKeys", object);
    check(overlap.jaccard(), "jaccard", object);
    check(overlap.containment(), "firstInSecond", object);
    check(overlap.otherContainment(), "secondInFirst", object);
    assertEquals(200, overlap.common().value(), 60);
  }

  private static void check(Overlap.Estimate expected, String name, Map<String, Object> object) {
    assertEquals(expected.value(), object.get(name + ".value"), name);
    assertEquals(expected.low(), object.get(name + ".low"), name);
    assertEquals(expected.high(), object.get(name + ".high"), name);
  }

  @Test
  void forPeopleEachEstimateHasARow() {
    create("");
    Run run = Run.of("overlap", first, second);
    assertTrue(
        run.out()
            .matches(
                "(?s)\\Q"
                    + first
                    + "\\E\n  and              \\Q"
                    + second
                    + "\\E\n"
                    + "  keys of first    about \\S+ \\(\\S+ to \\S+\\)\n"
                    + "  keys of second   about .*"
                    + "  keys of either   about .*"
                    + "  keys of both     about .*"
                    + "  Jaccard index    \\S+ % \\(\\S+ to \\S+ %\\)\n"
                    + "  first in second  .* %\\)\n"
                    + "  second in first  .* %\\)\n"),
        run.out());
  }

  @Test
  void aFullFilterHasNoEstimate() throws IOException {
    Run.piped(lines(0, 5_000), "create -o %s --expected 1", first);
    for (String keys : List.of("a", "")) {
      Run.piped(keys, "create --force -o %s --expected 1", second);
      Run run = Run.of("overlap", first, second).assertEnds(ExitCode.OK);
      assertEquals(
          first
              + "\n  and              "
              + second
              + "\n  estimates        none, since every bit of a filter, or of the two together, is set\n",
          run.out());
      Map<String, Object> object = Run.of("overlap", first, second, "--json").json();
      assertTrue(object.containsKey("bothKeys"));
      assertNull(object.get("bothKeys"));
    }
  }

  @Test
  void whatCannotBeComparedIsRefusedWithTheNextStep() throws IOException {
    create("");
    Path other = folder.resolve("other.bloom");
    Run.piped("a", "create -o %s --expected 9", other);
    assertFails(
        ExitCode.USAGE,
        "make one of them again as the other was made",
        Run.of("overlap", first, other));
    Run.piped("a", "create -o %s --expected 9 --variant counting", folder.resolve("counts.bloom"));
    assertFails(
        ExitCode.USAGE,
        "filters must be of a variant whose bits tell",
        Run.of("overlap", folder.resolve("counts.bloom"), folder.resolve("counts.bloom")));
    assertFails(
        ExitCode.BAD_FILE, "no such file", Run.of("overlap", first, folder.resolve("missing")));
    assertFails(ExitCode.USAGE, "name the other filter as FIRST", Run.of("overlap", first, "-"));
    Path shards = Files.createDirectory(folder.resolve("shards"));
    Files.createFile(shards.resolve(ShardedFilterFiles.MANIFEST));
    assertFails(ExitCode.USAGE, "compare each shard", Run.of("overlap", first, shards));
    Path damaged = folder.resolve("damaged.bloom");
    byte[] bytes = Files.readAllBytes(first);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    assertFails(ExitCode.BAD_FILE, "checksum", Run.of("overlap", first, damaged));
  }

  @Test
  void anIntersectionIsTold() throws IOException {
    create("");
    Path both = folder.resolve("both.bloom");
    open(first).intersection(open(second)).save(both);
    assertFails(
        ExitCode.USAGE, "compare the filters that it was made of", Run.of("overlap", first, both));

    String info = Run.of("info", both).out();
    assertTrue(info.contains("  estimated keys   cannot be told: bits of an intersection"), info);
    assertTrue(info.contains("  intersection     true\n"), info);
    Map<String, Object> object = Run.of("info", both, "--json").json();
    assertEquals(true, object.get("intersection"));
    assertFalse(info.contains("attribute"), info);
    assertNull(object.get("estimatedKeys"));
    object = Run.of("info", first, "--json").json();
    assertEquals(false, object.get("intersection"));

    assertFails(ExitCode.USAGE, "plot those that it was made of", Run.of("plot", both));
    Path merged = folder.resolve("merged.bloom");
    assertFails(
        ExitCode.USAGE,
        "merged only into an intersection",
        Run.of("merge", "-o", merged, first, both));
    assertFalse(Files.exists(merged));
    Run.piped(lines(5_000, 9_000), "add %s", both)
        .assertEnds(ExitCode.OUTGROWN, "but holds at least ");
  }

  private static void assertFails(int exitCode, String part, Run run) {
    run.assertEnds(exitCode, part);
    assertEquals("", run.out());
  }
}
