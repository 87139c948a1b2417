package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Subject.Role;
import io.bloomery.benchmarks.paired.WarmUp;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code benchmarks/run order}: measures {@linkplain OrderPart parts}, each in a JVM of
 * its own, and puts them together. A part that was measured since the last build is not measured
 * again, so that a run of hours can be had in pieces.
 */
@Command(
    name = "order",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times each variant beside its peers after each kind of warm-up, on each Java: who is ahead?",
      "Measures what is missing since the last build, part by part, and prints what is there."
    })
final class Order implements Callable<Integer> {

  private static final int ROUNDS = 51;
  private static final String MEASURED = "--measured";
  private static final List<Long> SIZES = List.of(100_000L, 10_000_000L, 100_000_000L);

  @Option(
      names = "--jdk",
      paramLabel = "HOME",
      description = "A Java to measure with (default: each that lies beside this one).")
  private List<Path> homes = List.of();

  @Option(
      names = "--warm-up",
      split = ",",
      paramLabel = "KIND",
      converter = OptionNames.OfWarmUp.class,
      description = "What comes before; of mixed, misses, hits, other-size, variants, face.")
  private Set<WarmUp> warmUps = EnumSet.allOf(WarmUp.class);

  @Option(
      names = "--n",
      split = ",",
      paramLabel = "N",
      converter = OptionNames.OfSize.class,
      description = "How many keys filters hold (default: 1e5,1e7,1e8).")
  private List<Long> sizes = SIZES;

  @Option(
      names = "--group",
      split = ",",
      paramLabel = "NAME",
      converter = OptionNames.OfRole.class,
      description = "Of plain, blocked, counting, growing, mapped (default: all).")
  private Set<Role> groups = EnumSet.complementOf(EnumSet.of(Role.LIMIT));

  @Option(
      names = "--parts",
      paramLabel = "N",
      description = "How many parts to measure now (default: all that are missing).")
  private int parts = Integer.MAX_VALUE;

  @Option(names = "--rounds", paramLabel = "N", description = "How often all take turns.")
  private int rounds = ROUNDS;

  @Option(
      names = MEASURED,
      description =
          "Measure nothing more: of the parts, those that are there since the last build.")
  private boolean measured;

  @Option(
      names = "--write-docs",
      description = "Put the tables into docs, and what they say into benchmarks/results.")
  private boolean docs;

  @Option(
      names = "--add",
      description =
          "With --write-docs: keep what benchmarks/results has of parts that are not measured now.")
  private boolean add;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path root = Path.of(System.getProperty(Main.ROOT, ""));
    Path folder = Files.createDirectories(root.resolve("benchmarks/target/order"));
    PrintWriter progress = spec.commandLine().getErr();
    List<OrderPart> all = OrderPart.all(javas(), warmUps, sizes, groups);
    FileTime built = built();
    int left = measured ? 0 : parts;
    List<OrderPart> missing = new ArrayList<>();
    for (OrderPart part : all) {
      Path file = part.file(folder);
      if (Files.exists(file) && Files.getLastModifiedTime(file).compareTo(built) > 0) {
        continue;
      }
      if (left == 0) {
        missing.add(part);
        continue;
      }
      left--;
      progress.println(part);
      progress.flush();
      part.measure(file, rounds);
    }
    if (docs && !measured && !add && !missing.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          ("--write-docs must come when all parts are measured, or with --measured or --add, but"
                  + " %d are missing, such as %s")
              .formatted(missing.size(), missing.get(0)));
    }
    Map<OrderPart, Report> reports = new LinkedHashMap<>();
    for (OrderPart part : all) {
      if (!missing.contains(part)) {
        reports.put(part, ReportFile.read(Files.readString(part.file(folder))));
      }
    }
    if (reports.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "there must be a part to show, but none is measured; take --parts 1");
    }
    Machine machine = reports.values().iterator().next().machine();
    OrderTable table = table(reports, machine);
    if (docs) {
      Documents documents = new Documents(root);
      Path earlier = documents.place(machine).order();
      if (add && Files.exists(earlier)) {
        table = table.over(OrderTable.read(Files.readString(earlier)));
      }
      documents.write(table, machine);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(new OrderPage(table).text());
    out.flush();
    if (!missing.isEmpty()) {
      progress.println(missing.size() + " parts are missing; run this again for more of them");
      progress.flush();
    }
    return ExitCode.OK;
  }

  private OrderTable table(Map<OrderPart, Report> reports, Machine machine) {
    List<OrderTable.Row> rows = new ArrayList<>();
    Set<String> jvms = new TreeSet<>();
    reports.forEach(
        (part, report) -> {
          rows.addAll(OrderTable.rows(part, report));
          jvms.add(report.machine().jvm());
        });
    String options =
        add
            ? "order --write-docs"
            : spec.root().commandLine().getParseResult().originalArgs().stream()
                .filter(argument -> !argument.equals(MEASURED))
                .collect(Collectors.joining(" "));
    return new OrderTable(
        "Measured up to %s, on %s; %s. Again: `benchmarks/run %s`."
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                machine.hardware(),
                String.join("; ", jvms),
                options),
        rows);
  }

  private List<OrderPart.Java> javas() throws IOException {
    return homes.isEmpty()
        ? OrderPart.Java.besideThisOne()
        : homes.stream().map(OrderPart.Java::of).toList();
  }

  /** Returns the time of the most recently built of our jars. */
  private static FileTime built() throws IOException {
    FileTime youngest = FileTime.fromMillis(0);
    for (Path jar : Libraries.jars(System.getProperty("java.class.path"))) {
      if (String.valueOf(jar.getFileName()).startsWith("bloomery-")) {
        FileTime made = Files.getLastModifiedTime(jar);
        youngest = made.compareTo(youngest) > 0 ? made : youngest;
      }
    }
    return youngest;
  }
}
