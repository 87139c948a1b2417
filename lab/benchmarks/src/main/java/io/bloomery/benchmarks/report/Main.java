package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Contest;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Matrix;
import io.bloomery.benchmarks.paired.Matrix.Extra;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Subject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** The command {@code lab/benchmarks/run}. */
@Command(
    name = "lab/benchmarks/run",
    mixinStandardHelpOptions = true,
    version = "Benchmarks of Bloomery on Java ${java.version}",
    usageHelpWidth = 100,
    sortOptions = false,
    description = {
      "Times filters beside other libraries and the limits of the memory, turn by turn in one JVM,",
      "writes JSON and tables in Markdown, and prints the tables."
    },
    footer = {
      "",
      "--heap SIZE anywhere gives the JVM another heap than 15g, or 3g with --quick or jmh.",
      "",
      "Examples:",
      "  lab/benchmarks/run --quick            all there is, but 100,000 keys; some three minutes",
      "  lab/benchmarks/run --write-docs       the tables of docs/performance.md; 30 minutes, 20 GB",
      "  lab/benchmarks/run before ../earlier --n 1e5  what a change costs: beside another checkout",
      "  lab/benchmarks/run memory --write-docs  measured tables of docs/choosing.md; a minute",
      "  lab/benchmarks/run --keys long --n 1e7 --operations hit,batch-miss --subjects guava,standard",
      "  lab/benchmarks/run render lab/benchmarks/target/performance.json",
      "  lab/benchmarks/run jmh -p variant=standard,guava -p operation=HIT,MISS Operation"
    })
public final class Main implements Callable<Integer> {

  /** The property with the path of the repository. */
  static final String ROOT = "bloomery.root";

  @Option(names = "--quick", description = "Fewer keys and rounds, for a first look.")
  private boolean quick;

  @Option(
      names = "--keys",
      split = ",",
      paramLabel = "KIND",
      description = "Of long, string (default: all).")
  private Set<KeyKind> kinds;

  @Option(
      names = "--n",
      split = ",",
      paramLabel = "N",
      description = "How many keys filters hold (default: 1e5,1e7,1e8).")
  private List<Long> sizes;

  @Option(
      names = "--operations",
      split = ",",
      paramLabel = "NAME",
      description = "What is timed; 'lab/benchmarks/run list' has the names (default: all).")
  private Set<Operation> operations;

  @Option(
      names = "--extras",
      split = ",",
      paramLabel = "NAME",
      description = "What else is measured (default: all, but nothing with --operations).")
  private Set<Extra> extras;

  @Option(
      names = "--subjects",
      split = ",",
      paramLabel = "NAME",
      description = "Who takes part (default: all); ratios are taken to guava.")
  private Set<String> subjects;

  @Option(names = "--rounds", paramLabel = "N", description = "How often all take turns.")
  private Integer rounds;

  @Mixin private Output output;
  @Spec private CommandSpec spec;

  private Main() {}

  /** Runs the command and exits the JVM. */
  public static void main(String... args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .addSubcommand(new BaselineCommand())
        .addSubcommand(new Memory())
        .addSubcommand(new Render())
        .addSubcommand(new Listing())
        .addSubcommand(new Jmh())
        .registerConverter(KeyKind.class, name -> OptionNames.parse(KeyKind.class, name))
        .registerConverter(Operation.class, name -> OptionNames.parse(Operation.class, name))
        .registerConverter(Extra.class, name -> OptionNames.parse(Extra.class, name))
        .registerConverter(Long.class, OptionNames::size)
        .setParameterExceptionHandler((e, args) -> fail(e.getCommandLine(), e, ExitCode.USAGE))
        .setExecutionExceptionHandler((e, line, parsed) -> fail(line, e, ExitCode.SOFTWARE));
  }

  private static int fail(CommandLine line, Exception e, int code) {
    String reason =
        e instanceof NoSuchFileException ? "cannot find " + e.getMessage() : e.getMessage();
    line.getErr().println("lab/benchmarks/run: " + reason);
    line.getErr().flush();
    return code;
  }

  @Override
  public Integer call() throws IOException {
    Matrix all = quick ? Matrix.quick() : Matrix.full();
    output.prepare();
    Results results = Contest.run(matrix(all), spec.commandLine().getErr()::println);
    return output.write(
        new Report(
            LocalDate.now(ZoneOffset.UTC).toString(),
            "lab/benchmarks/run "
                + String.join(" ", spec.root().commandLine().getParseResult().originalArgs()),
            Machine.here(),
            Libraries.of(System.getProperty("java.class.path")),
            results));
  }

  private Matrix matrix(Matrix all) {
    Set<Extra> others = operations == null ? all.extras() : EnumSet.noneOf(Extra.class);
    try {
      return new Matrix(
          kinds == null ? all.kinds() : kinds,
          sizes == null ? all.sizes() : sizes,
          operations == null ? all.operations() : operations,
          subjects == null ? all.subjects() : subjects,
          rounds == null ? all.rounds() : rounds,
          extras == null ? others : extras);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  @Command(
      name = "render",
      mixinStandardHelpOptions = true,
      description = "Makes the tables again from JSON, without measuring.")
  private static final class Render implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "What a run has written.")
    private Path file;

    @Mixin private Output output;

    @Override
    public Integer call() throws IOException {
      return output.print(ReportFile.read(Files.readString(file)));
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists who can take part, and what can be timed.")
  private static final class Listing implements Callable<Integer> {

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      out.println("subjects:");
      for (Subject subject : Subject.all()) {
        String kinds =
            Arrays.stream(KeyKind.values())
                .filter(subject::takes)
                .map(OptionNames::of)
                .collect(Collectors.joining(", "));
        out.printf(
            "  %-28s %s%s%n",
            subject.name(), kinds, subject.available() ? "" : "; not here: needs vectors");
      }
      out.println("operations:");
      Arrays.stream(Operation.values()).forEach(one -> out.println("  " + OptionNames.of(one)));
      out.println("extras:");
      Arrays.stream(Extra.values()).forEach(one -> out.println("  " + OptionNames.of(one)));
      out.flush();
      return ExitCode.OK;
    }
  }

  @Command(
      name = "jmh",
      description = "Hands all that follows to JMH; its own help is behind 'jmh -h'.")
  private static final class Jmh implements Callable<Integer> {

    @Unmatched private final List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
      org.openjdk.jmh.Main.main(arguments.toArray(String[]::new));
      return ExitCode.OK;
    }
  }
}
