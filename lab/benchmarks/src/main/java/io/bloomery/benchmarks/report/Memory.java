package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.report.CountingMemory.Bits;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what counting filters take, by their rate and by how often keys are put. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    description =
        "Measures the bits a key of counting filters, in files and in the heap, and of sets that never change.")
final class Memory implements Callable<Integer> {

  static final int KEYS = 1_000_000;

  static final double[] RATES = {
    0.95, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 1e-5
  };
  private static final int MAX_PROBES = 64;
  private static final int[] TIMES = {1, 2, 3, 5, 10, 100, 1_000_000};

  @Option(names = "--write-docs", description = "Put the tables into docs/choosing.md.")
  private boolean docs;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    CountingMemory memory = new CountingMemory(KEYS);
    Map<Integer, Bits> byTimes = byTimes(memory);
    String rates = byRate(memory);
    String often = table(byTimes);
    String never = StaticMemory.table();
    if (docs) {
      Path page = Path.of(System.getProperty(Main.ROOT, "")).resolve("docs/choosing.md");
      new Marked(page, "rates").write("\n" + rates + "\n");
      new Marked(page, "multiplicity").write("\n" + often + "\n");
      new Marked(page, "static").write("\n" + never + "\n");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(rates);
    out.println(often);
    out.println(never);
    out.flush();
    return ExitCode.OK;
  }

  private static String byRate(CountingMemory memory) {
    Table table =
        new Table(
            "Rate", "File, planned", "written", "Heap, planned", "measured", "Textbook, 4 bits");
    for (double rate : RATES) {
      Bits bits = memory.atRate(rate);
      table.row(
          List.of(
              percent(rate),
              two(bits.plannedFile()),
              two(bits.file()),
              two(bits.plannedHeap()),
              two(bits.heap()),
              two(textbook(rate))));
    }
    return table.toString();
  }

  static Map<Integer, Bits> byTimes(CountingMemory memory) {
    Map<Integer, Bits> byTimes = new LinkedHashMap<>();
    for (int times : TIMES) {
      byTimes.put(times, memory.putTimes(times));
    }
    return byTimes;
  }

  private static String table(Map<Integer, Bits> byTimes) {
    Table table = new Table("Each key put", "File", "Heap");
    byTimes.forEach(
        (times, bits) -> table.row(List.of(times(times), one(bits.file()), one(bits.heap()))));
    return table.toString();
  }

  private static String times(int times) {
    return times == 1 ? "once" : Numbers.keys(times) + " times";
  }

  /** Returns the bits per key of the smallest Bloom filter with four bits per position. */
  static double textbook(double rate) {
    return IntStream.rangeClosed(1, MAX_PROBES)
        .mapToDouble(probes -> -4 * probes / Math.log1p(-Math.pow(rate, 1.0 / probes)))
        .min()
        .orElseThrow();
  }

  static String percent(double rate) {
    return BigDecimal.valueOf(rate).movePointRight(2).stripTrailingZeros().toPlainString() + " %";
  }

  private static String one(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
