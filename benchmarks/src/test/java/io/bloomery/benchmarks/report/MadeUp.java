package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Stats;
import io.bloomery.benchmarks.paired.Subject.Role;
import io.bloomery.benchmarks.paired.WarmUp;
import io.bloomery.benchmarks.report.Report.Contest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reports whose numbers nobody has measured. */
final class MadeUp {

  private static final String PROCESSOR = "Abacus 9";

  private MadeUp() {}

  private static Machine machine(String processor) {
    return new Machine(
        processor,
        4,
        8L << 30,
        List.of(new Machine.Cache("L1", 32 << 10), new Machine.Cache("L2", 1 << 20)),
        "Linux 6.1 amd64",
        "OpenJDK 64-Bit Server VM 17.0.15",
        List.of("-Xmx1g"));
  }

  static Report matrix() {
    return matrix(PROCESSOR);
  }

  static Report matrix(String processor) {
    Figures hit = new Figures(KeyKind.LONG, 100_000, "hit", 1);
    add(hit, "guava", 60, 62, 64);
    add(hit, "fastfilter", 10, 11, 12);
    add(hit, "parquet", 20, 20, 20);
    add(hit, "one-word", 2, 2, 2);
    add(hit, "standard", 12, 12.5, 13);
    add(hit, "split-block", 4, 4, 4);
    Figures miss = new Figures(KeyKind.LONG, 100_000, "miss", 1);
    add(miss, "guava", 70, 70, 70);
    add(miss, "fastfilter", 14, 14, 14);
    add(miss, "standard", 10, 10, 10);
    add(miss, "split-block", 3.5, 3.5, 3.5);
    Figures shared = new Figures(KeyKind.LONG, 100_000, "put again", 2);
    add(shared, "guava", 80, 80, 80);
    add(shared, "standard", 16, 16, 16);
    Figures save = new Figures(KeyKind.LONG, 100_000, "save", 1);
    add(save, "guava", 2e6, 2e6, 2e6);
    add(save, "standard", 25_000, 25_000, 25_000);
    return new Report(
        Contest.MATRIX,
        "2026-11-21",
        "benchmarks/run --quick",
        machine(processor),
        Map.of("guava", "33.8.0-jre"),
        new Results(
            List.of(hit, miss, shared, save),
            List.of(
                new Stats("bits per key", KeyKind.LONG, 100_000, "standard", 9.585),
                new Stats("bits per key", KeyKind.LONG, 10_000_000, "guava", 9.6))));
  }

  static Report cost() {
    List<Figures> figures = new ArrayList<>();
    for (String operation : List.of("put, new key", "miss", "batch miss")) {
      for (long keys = 1_000; keys <= 100_000_000; keys *= 10) {
        Figures point = new Figures(KeyKind.LONG, keys, operation, 1);
        add(point, "standard", Math.log((double) keys));
        add(point, "split-block", Math.log((double) keys) / 2);
        add(point, "one-line", Math.log((double) keys) / 3);
        figures.add(point);
      }
    }
    return new Report(
        Contest.COST,
        "2026-11-21",
        "benchmarks/run cost",
        machine(PROCESSOR),
        Map.of("bloomery-api", "0.1.0", "picocli", "4.7.7"),
        new Results(figures, List.of()));
  }

  /** Returns an order in which one of ours is behind a peer. */
  static OrderTable order() {
    Figures hit = new Figures(KeyKind.LONG, 100_000, "hit", 1);
    add(hit, "standard-confined", 2, 2, 2);
    add(hit, "guava", 10, 10, 10);
    add(hit, "fastfilter", 1.5, 1.5, 1.5);
    Figures mix = new Figures(KeyKind.LONG, 100_000, "mix", 1);
    add(mix, "standard-confined", 5, 5, 5);
    add(mix, "guava", 10, 10, 10);
    add(mix, "fastfilter", 6, 6, 6);
    return order(hit, mix);
  }

  /** Returns the order of what was measured on Java 17 after misses only. */
  static OrderTable order(Figures... figures) {
    Report report =
        new Report(
            Contest.MATRIX,
            "2026-11-21",
            "benchmarks/run order",
            machine(PROCESSOR),
            Map.of(),
            new Results(List.of(figures), List.of()));
    OrderPart part =
        new OrderPart(
            new OrderPart.Java(Path.of("jdk"), 17),
            WarmUp.MISSES,
            figures[0].keys(),
            Role.PLAIN,
            List.of(),
            0);
    return new OrderTable("Made up.", OrderTable.rows(part, report));
  }

  static void add(Figures figures, String subject, double... rounds) {
    for (double round : rounds) {
      figures.add(subject, round);
    }
  }
}
