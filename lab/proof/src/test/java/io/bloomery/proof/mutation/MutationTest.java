package io.bloomery.proof.mutation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.tooling.AnalysisResult;
import org.pitest.mutationtest.tooling.EntryPoint;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.util.Glob;
import org.pitest.util.Verbosity;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Of the changes that PIT makes in lines that tests run, at least 85 % of those that are not
 * equivalent make a test fail. The survivors of each module are listed in a resource named after
 * it: {@code equivalent} ones change nothing that can be observed, {@code speed} ones nothing but
 * speed, {@code race} ones are seen by tests of threads alone, which are left out here, and {@code
 * hole} ones by no test that is run here. Those of speed, races and holes count as not detected.
 */
final class MutationTest {

  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Path REPORTS = Path.of("target", "mutation").toAbsolutePath();

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String TEMPORARY = System.getProperty("java.io.tmpdir");

  /**
   * A variant that is built once, where tests take every variant that they find, and the command,
   * whose logger takes the lines that they wait for.
   */
  private static final List<Path> NOT_USED = List.of(ROOT.resolve("fuse"), ROOT.resolve("cli"));

  /**
   * What takes long, starts processes, needs much memory, fails by chance, or has one variant
   * alone.
   */
  private static final List<String> LEFT_OUT =
      List.of(
          "*Race*",
          "*SaveCrash*",
          "*Killed*",
          "*Truncated*",
          "*LargePlane*",
          "*.RateTest",
          "*CountingRateTest",
          "*CountingSizingTest",
          "*CountingWalkTest",
          "*KeyFormEverywhereTest",
          "*OnHeapTest",
          "*Campaign*",
          "*Memory*",
          "*Visibility*",
          "*ModuleTest");

  /** Those that fail for the same change each time, and take less than a second. */
  private static final String RULES =
      "R01,R02,R03,R04,R05,R07,R08,R09,R10,R17,R18,R22,R24,R25,R26,R27,R28,R29,R30,R31,R32,R33,R34,"
          + "R38,R39,R46,R48,R49,R50,R51,R52,R53,R54,R55,R63,R67,R72,R75,R76,R77,R78,R79,R80,R81";

  /**
   * A module, or a part of it, whose code is changed.
   *
   * @param name that of the module, and of the part after a hyphen
   * @param changed the classes that are changed
   * @param tests the tests of the module that are run
   * @param variant the one that the rules are checked on, or none if no rule is
   */
  private record Target(String name, List<String> changed, String tests, String variant) {

    private static final String NONE = "";

    static Target of(FilterProvider provider) {
      String module = folder(provider);
      String all = "io.bloomery." + module + ".*";
      return new Target(module, List.of(all), all + "Test", provider.variant());
    }

    /** Returns those classes of a package that have a name, and those within them. */
    static Target part(String name, String folder, String... names) {
      String all = "io.bloomery." + folder + ".";
      return new Target(
          name,
          Stream.of(names).flatMap(one -> Stream.of(all + one, all + one + "$*")).toList(),
          all + "*Test",
          NONE);
    }

    String module() {
      return name.split("-", 2)[0];
    }

    List<String> allTests() {
      return variant.equals(NONE) ? List.of(tests) : List.of(tests, VariantRules.class.getName());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static String folder(FilterProvider provider) {
    return provider.getClass().getPackageName().replace("io.bloomery.", "");
  }

  /** Returns the modules that have one variant, for the rules to find changes as well. */
  private static Stream<Target> ofOneVariant() {
    return FilterProviders.installed().all().stream()
        .collect(Collectors.groupingBy(MutationTest::folder, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .filter(providers -> providers.size() == 1)
        .map(providers -> Target.of(providers.get(0)));
  }

  static Stream<Target> targets() {
    String only = System.getProperty("bloomery.mutation", "");
    return Stream.concat(ofOneVariant(), parts())
        .filter(
            target -> only.isEmpty() || target.name().equals(only) || target.module().equals(only));
  }

  private static Stream<Target> parts() {
    return Stream.of(
        Target.part(
            "window-memory",
            "window",
            "Extent",
            "Fullest",
            "Generation",
            "Generations",
            "HeapGeneration",
            "SlidingFilter"),
        Target.part(
            "window-files",
            "window",
            "LiveGeneration",
            "LiveLayout",
            "LiveSlot",
            "LiveTable",
            "LiveWindow",
            "SlidingFile",
            "SlidingHeader",
            "SlidingVerification"),
        Target.part(
            "guard-answers",
            "guard",
            "AbsentKeySample",
            "Absences",
            "Answers",
            "FilterBreaker",
            "Load",
            "Loading",
            "Lookup",
            "MeasuredRate",
            "Measurement",
            "SourceCalls"),
        Target.part(
            "counting-tables",
            "counting",
            "BlockProbes",
            "CountList",
            "Counters",
            "FastCounters",
            "PackedCounts",
            "Pairs",
            "Planes",
            "SpillRoom",
            "SpilledBlocks",
            "SpilledStripes",
            "UnaryCounts"),
        Target.part("api-hash", "hash", "*"));
  }

  /** Returns the listed survivors: how often each is there, by class, method and change. */
  private static Map<String, Integer> listed(Target target, String kind) throws IOException {
    Map<String, Integer> listed = new TreeMap<>();
    try (Stream<String> lines =
        Files.lines(
            Path.of("src/test/resources/io/bloomery/proof/mutation", target.module() + ".txt"))) {
      lines
          .map(line -> line.split(" # ", 2)[0].split(" ", 4))
          .filter(parts -> parts[0].equals(kind))
          .forEach(
              parts ->
                  listed.merge(
                      parts[2] + " " + parts[3], Integer.parseInt(parts[1]), Integer::sum));
    }
    return listed;
  }

  @BeforeAll
  static void printHeader() {
    System.out.printf(
        "%-14s %8s %8s %8s %8s %10s %6s %6s%n",
        "changed", "changes", "covered", "timeout", "survive", "equivalent", "speed", "score");
  }

  @ParameterizedTest
  @MethodSource("targets")
  void testsFailOnChangedCode(Target target) throws Exception {
    Path report = Files.createDirectories(REPORTS.resolve(target.toString()));
    Path folder = ROOT.resolve(target.module());
    List<String> classPath = new ArrayList<>();
    classPath.add(folder.resolve("target/test-classes").toString());
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> NOT_USED.stream().noneMatch(Path.of(entry)::startsWith))
        .forEach(classPath::add);
    ReportOptions options = new ReportOptions();
    options.setTargetClasses(target.changed());
    options.setTargetTests(target.allTests().stream().map(Glob.toGlobPredicate()).toList());
    options.setExcludedTestClasses(LEFT_OUT.stream().map(Glob.toGlobPredicate()).toList());
    options.setClassPathElements(classPath);
    options.setCodePaths(List.of(folder.resolve("target/classes").toString()));
    options.setSourceDirs(List.of(folder.resolve("src/main/java")));
    options.setReportDir(report.toString());
    options.addOutputFormats(List.of("XML", "CSV"));
    options.setShouldCreateTimestampedReports(false);
    options.setGroupConfig(TestGroupConfig.emptyConfig().withExcludedGroups("nightly"));
    options.setTimeoutConstant(10_000);
    options.setTimeoutFactor(4);
    options.setNumberOfThreads(1);
    options.setVerbosity(Verbosity.NO_SPINNER);
    options.addChildJVMArgs(
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dbloomery.conformance.rule=" + RULES,
            "-D" + VariantRules.PROPERTY + "=" + target.variant(),
            "-Djqwik.database=",
            // In memory, forces to the disk take no time.
            "-Djava.io.tmpdir=" + (Files.isWritable(MEMORY) ? MEMORY : TEMPORARY),
            "-Dbloomery.conformance.tier=smoke",
            "-Dbloomery.conformance.seed="
                + System.getProperty("bloomery.conformance.seed", "20261121")));
    AnalysisResult result =
        new EntryPoint()
            .execute(
                folder.toFile(), options, PluginServices.makeForContextLoader(), System.getenv());
    if (result.getError().isPresent()) {
      throw result.getError().get();
    }
    Map<String, Integer> survivors = new TreeMap<>();
    int changes = 0;
    int covered = 0;
    int timeout = 0;
    NodeList mutations =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.resolve("mutations.xml").toFile())
            .getElementsByTagName("mutation");
    for (int i = 0; i < mutations.getLength(); i++) {
      Element mutation = (Element) mutations.item(i);
      changes++;
      if (!mutation.getAttribute("status").equals("NO_COVERAGE")) {
        covered++;
      }
      if (mutation.getAttribute("status").equals("TIMED_OUT")) {
        timeout++;
      }
      if (mutation.getAttribute("status").equals("SURVIVED")) {
        survivors.merge(name(mutation), 1, Integer::sum);
      }
    }
    int survive = survivors.values().stream().mapToInt(Integer::intValue).sum();
    int equivalent = common(survivors, listed(target, "equivalent"));
    int speed = common(survivors, listed(target, "speed"));
    double score = 100.0 * (covered - survive) / (covered - equivalent);
    String row =
        String.format(
            "%-14s %8d %8d %8d %8d %10d %6d %5.1f%%%n",
            target, changes, covered, timeout, survive, equivalent, speed, score);
    System.out.print(row);
    Files.writeString(report.resolve("row.txt"), row);
    assertTrue(score >= 85, () -> "survivors: " + survivors);
  }

  private static String name(Element mutation) {
    return text(mutation, "mutatedClass").replace("io.bloomery.", "")
        + " "
        + text(mutation, "mutatedMethod")
        + " "
        + text(mutation, "description");
  }

  private static String text(Element mutation, String tag) {
    return mutation.getElementsByTagName(tag).item(0).getTextContent();
  }

  private static int common(Map<String, Integer> survivors, Map<String, Integer> listed) {
    return listed.entrySet().stream()
        .mapToInt(entry -> Math.min(entry.getValue(), survivors.getOrDefault(entry.getKey(), 0)))
        .sum();
  }
}
