package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Stats;
import io.bloomery.blocked.BlockedProvider;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reports whose numbers nobody has measured. */
final class MadeUp {

  private static final String BLOCKED = new BlockedProvider().variant();

  private MadeUp() {}

  static Report report() {
    return report("Abacus 9");
  }

  static Report report(String processor) {
    Figures hit = new Figures(KeyKind.LONG, 100_000, "hit", 1);
    add(hit, "guava", 60, 62, 64);
    add(hit, "fastfilter", 10, 11, 12);
    add(hit, "parquet", 20, 20, 20);
    add(hit, "one-word", 2, 2, 2);
    add(hit, "standard", 12, 12.5, 13);
    add(hit, BLOCKED, 4, 4, 4);
    Figures miss = new Figures(KeyKind.LONG, 100_000, "miss", 1);
    add(miss, "guava", 70, 70, 70);
    add(miss, "fastfilter", 14, 14, 14);
    add(miss, "standard", 10, 10, 10);
    add(miss, BLOCKED, 3.5, 3.5, 3.5);
    Figures shared = new Figures(KeyKind.LONG, 100_000, "put again", 2);
    add(shared, "guava", 80, 80, 80);
    add(shared, "standard", 16, 16, 16);
    Figures save = new Figures(KeyKind.LONG, 100_000, "save", 1);
    add(save, "guava", 2e6, 2e6, 2e6);
    add(save, "standard", 25_000, 25_000, 25_000);
    return new Report(
        "2026-11-21",
        "lab/benchmarks/run --quick",
        new Machine(
            processor,
            4,
            8L << 30,
            new TreeMap<>(Map.of("L1", 32L << 10, "L2", 1L << 20)),
            "Linux 6.1 amd64",
            "OpenJDK 64-Bit Server VM 17.0.15",
            List.of("-Xmx1g")),
        Map.of("guava", "33.8.0-jre"),
        new Results(
            List.of(hit, miss, shared, save),
            List.of(
                new Stats("bits per key", KeyKind.LONG, 100_000, "standard", 9.585),
                new Stats("bits per key", KeyKind.LONG, 10_000_000, "guava", 9.6))));
  }

  private static void add(Figures figures, String subject, double... rounds) {
    for (double round : rounds) {
      figures.add(subject, round);
    }
  }
}
