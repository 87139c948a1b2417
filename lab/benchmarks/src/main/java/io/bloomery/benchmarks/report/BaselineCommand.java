package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Contest;
import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Matrix;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.OtherBuild;
import io.bloomery.benchmarks.paired.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code before}: what a change costs, with an earlier build as the baseline. */
@Command(
    name = "before",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Times each variant beside the same of an earlier build, turn by turn, with long keys.",
      "Exits with 1 if the lower quartile of a ratio is below 0.97: slower than before."
    })
final class BaselineCommand implements Callable<Integer> {

  /** The lower quartile from which on a variant is as fast as before: less is not repeatable. */
  private static final double LEVEL = 0.97;

  private static final int ROUNDS = 51;

  @Parameters(
      paramLabel = "FOLDER",
      description = "A checkout of another commit, built by 'mvn -DskipTests package'.")
  private Path folder;

  @Option(
      names = "--n",
      split = ",",
      paramLabel = "N",
      description = "How many keys filters hold (default: 1e5,1e7).")
  private List<Long> sizes = List.of(100_000L, 10_000_000L);

  @Option(
      names = "--operations",
      split = ",",
      paramLabel = "NAME",
      description = "What is timed; 'lab/benchmarks/run list' has the names (default: all).")
  private Set<Operation> operations = EnumSet.allOf(Operation.class);

  @Option(
      names = "--subjects",
      split = ",",
      paramLabel = "NAME",
      description = "Which of ours take part (default: all).")
  private Set<String> subjects =
      Subject.all().stream()
          .filter(subject -> subject.ours() && subject.available())
          .map(Subject::name)
          .collect(Collectors.toSet());

  @Option(names = "--rounds", paramLabel = "N", description = "How often all take turns.")
  private int rounds = ROUNDS;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Figures> figures;
    try {
      Matrix matrix =
          new Matrix(
              EnumSet.of(KeyKind.LONG),
              sizes,
              operations,
              subjects,
              rounds,
              EnumSet.noneOf(Matrix.Extra.class));
      figures =
          Contest.beside(
                  new OtherBuild(folder.toRealPath()), matrix, spec.commandLine().getErr()::println)
              .figures();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    Table table = new Table("Keys", "Operation", "", "ns before", "ns", "Times as fast", "");
    int slower = figures.stream().mapToInt(each -> rows(each, table)).sum();
    PrintWriter out = spec.commandLine().getOut();
    out.println(table);
    out.println(slower + " slower than before");
    out.flush();
    return slower == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Adds a row for each of ours, and returns how many are slower than before. */
  private static int rows(Figures figures, Table table) {
    int slower = 0;
    for (String ours : figures.subjects()) {
      String before = ours + Subject.BEFORE;
      if (!figures.subjects().contains(before)) {
        continue;
      }
      Quartiles ratio = figures.ratio(ours, before).orElseThrow();
      boolean isSlower = ratio.lower() < LEVEL;
      slower += isSlower ? 1 : 0;
      table.row(
          List.of(
              Numbers.keys(figures.keys()),
              figures.operation(),
              ours,
              Numbers.nanos(figures.nanos(before).median()),
              Numbers.nanos(figures.nanos(ours).median()),
              Numbers.ratio(ratio.median()) + " (" + Numbers.ratios(ratio) + ")",
              isSlower ? "**slower**" : ""));
    }
    return slower;
  }
}
