package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.Subject.Role;
import io.bloomery.benchmarks.paired.WarmUp;
import io.bloomery.benchmarks.report.Documents.Place;
import io.bloomery.benchmarks.report.OrderTable.Row;
import io.bloomery.benchmarks.report.OrderTable.Standing;
import io.bloomery.benchmarks.report.ProcessorsPage.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final OrderPart.Java JAVA = new OrderPart.Java(Path.of("jdk"), 17);
  private static final Set<Role> ROLES = EnumSet.complementOf(EnumSet.of(Role.LIMIT));

  @Test
  void thePageOfEachProcessorSaysWhatItsResultsSay() throws IOException {
    for (Place place : new Documents(ROOT).places()) {
      if (!place.first() && Files.notExists(place.order())) {
        continue;
      }
      OrderTable table = OrderTable.read(Files.readString(place.order()));
      assertEquals(
          Documents.section(new OrderPage(table).text()),
          place.orderSection().read(),
          place.page()
              + " is not what benchmarks/results say; run benchmarks/run order --write-docs");
    }
  }

  @Test
  void theHeadlineIsTheLeastRatioToGuava() {
    assertEquals(
        "- With 10^5 keys, after 1 kind of warm-up, times as fast as Guava's: `standard` 2.50.\n\n"
            + "Measured on Abacus 9. Again: `benchmarks/run order --write-docs`.\n",
        new ProcessorsPage(
                List.of(
                    measured(row(17, Operation.HIT, 3, 4), row(25, Operation.BATCH_MIX, 1, 4)),
                    measured(row(25, Operation.MIX, 2.5, 4))))
            .headline());
  }

  @Test
  void theHeadlineCountsTheFewestKindsOfWarmUp() {
    Row hits = row(17, Operation.HIT, 3, 4);
    Row splitBlock = withOurs(hits, "split-block", WarmUp.HITS);
    String headline =
        new ProcessorsPage(
                List.of(measured(hits, splitBlock, withOurs(hits, "split-block", WarmUp.MISSES))))
            .headline();
    assertTrue(headline.contains("after at least 1 kind of warm-up"), headline);
  }

  @Test
  void aSizeWithoutAVariantOfTheHeadlineHasNoLine() {
    Row hits = row(17, Operation.HIT, 3, 4);
    String headline =
        new ProcessorsPage(List.of(measured(withOurs(hits, "counting", WarmUp.HITS)))).headline();
    assertFalse(headline.contains("times as fast"), headline);
  }

  private static Row withOurs(Row row, String ours, WarmUp warmUp) {
    return new Row(
        row.java(),
        warmUp,
        row.keys(),
        row.operation(),
        ours,
        row.peer(),
        row.ratio(),
        row.ourNanos(),
        row.theirNanos());
  }

  private static Measured measured(Row... rows) {
    return new Measured(MadeUp.matrix(), Optional.of(new OrderTable("Made up.", List.of(rows))));
  }

  private static Row row(int java, Operation operation, double lower, double median) {
    Quartiles ratio = new Quartiles(lower, median, 5);
    return new Row(
        java, WarmUp.HITS, 100_000, operation, "standard", Subject.REFERENCE, ratio, 1, median);
  }

  @Test
  void aheadIsWhoseLowerQuartileIsAboveOneAndLevelWhoseMedianIsNear() {
    assertEquals(Standing.AHEAD, standing(1.01, 1.02, 1.02));
    assertEquals(Standing.LEVEL, standing(1, 1.2, 1.3));
    assertEquals(Standing.LEVEL, standing(0.8, 0.97, 1.3));
    assertEquals(Standing.BEHIND, standing(0.8, 0.96, 1.3));
  }

  private static Standing standing(double... theirs) {
    Figures figures = new Figures(KeyKind.LONG, 100_000, "hit", 1);
    for (double nanos : theirs) {
      figures.add("standard", 1);
      figures.add("guava", nanos);
    }
    List<Row> rows = rows(figures);
    assertEquals(1, rows.size());
    return rows.get(0).standing();
  }

  private static List<Row> rows(Figures... figures) {
    return MadeUp.order(figures).rows();
  }

  @Test
  void sharedFiltersStandBesideGuavaAndConfinedOnesBesideAllOfTheirKind() {
    Figures figures = new Figures(KeyKind.LONG, 100_000, "hit", 1);
    for (String subject :
        List.of(
            "standard",
            "standard-confined",
            "guava",
            "fastfilter",
            "fastfilter-blocked",
            "scalable")) {
      figures.add(subject, 1);
    }
    assertEquals(
        Set.of(
            "standard guava",
            "scalable guava",
            "standard-confined guava",
            "standard-confined fastfilter"),
        rows(figures).stream()
            .map(row -> row.ours() + " " + row.peer())
            .collect(Collectors.toSet()));
  }

  @Test
  void aTableIsWrittenAndReadAndOtherTextRefused() throws IOException {
    OrderTable table = MadeUp.order();
    OrderTable read = OrderTable.read(table.write());
    assertEquals(table, read);
    assertEquals(new OrderPage(table).text(), new OrderPage(read).text());
    assertThrows(IOException.class, () -> OrderTable.read("java,keys\n"));
    assertThrows(
        IOException.class, () -> OrderTable.read(table.write().replace("misses", "losses")));
    assertThrows(IOException.class, () -> OrderTable.read(table.write() + "17\n"));
  }

  @Test
  void rowsReplaceEarlierOnesOfTheSameComparisonOnly() {
    Row old = row(17, Operation.HIT, 2, 3);
    Row kept = row(25, Operation.HIT, 4, 5);
    Row fresh = row(17, Operation.HIT, 6, 7);
    Row more = row(17, Operation.MISS, 8, 9);
    OrderTable table =
        new OrderTable("New.", List.of(more, fresh))
            .over(new OrderTable("Old.", List.of(kept, old)));
    assertEquals("New.", table.origin());
    assertEquals(List.of(fresh, more, kept), table.rows());
  }

  @Test
  void aPageCountsShowsJumpsAndNamesEverybodyWhoIsAhead() {
    String page = new OrderPage(MadeUp.order()).text();
    assertTrue(page.startsWith("Made up.\n"), page);
    assertTrue(page.contains("| misses only | 17 | 3 ahead, 1 behind |"), page);
    assertTrue(page.contains("| **standard-confined** | 2.50; – |"), page);
    assertTrue(
        page.contains(
            "| 10^5 | hit | **standard-confined** | fastfilter | 0.75 (0.75 – 0.75) misses only, 17 |"),
        page);
  }

  @Test
  void everyPartHasOursAndEveryPeerOfTheirKindIsInOne() {
    for (long keys : List.of(100_000L, 100_000_000L)) {
      List<OrderPart> parts =
          OrderPart.all(List.of(JAVA), EnumSet.of(WarmUp.MIXED), List.of(keys), ROLES);
      for (Role role : ROLES) {
        Set<String> all = new HashSet<>();
        for (OrderPart part : parts) {
          if (part.role() == role) {
            assertTrue(part.subjects().stream().anyMatch(OrderTest::isOurs), part::toString);
            assertTrue(keys < 100_000_000 || peers(part) <= 2, part::toString);
            all.addAll(part.subjects());
          }
        }
        assertTrue(all.contains(Subject.REFERENCE), role::toString);
        assertTrue(
            Subject.all().stream()
                .filter(one -> one.role() == role && !one.name().endsWith("-boxed"))
                .allMatch(one -> all.contains(one.name())),
            all::toString);
      }
      assertEquals(
          parts.size(), parts.stream().map(part -> part.file(Path.of(""))).distinct().count());
    }
  }

  private static boolean isOurs(String name) {
    return Field.subject(name).ours();
  }

  private static long peers(OrderPart part) {
    return part.subjects().stream().filter(name -> !isOurs(name)).count();
  }

  @Test
  void theJavaThatRunsThisIsAmongThoseThatAreFound() throws IOException {
    assertTrue(
        OrderPart.Java.besideThisOne().stream()
            .anyMatch(java -> java.feature() == Runtime.version().feature()));
  }

  @Test
  void aFolderWithoutAJavaIsRefused(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("release"), "OS_NAME=\"Linux\"\n");
    assertThrows(IllegalArgumentException.class, () -> OrderPart.Java.of(folder));
  }

  @Test
  void whatIsLostToTwoWarmUpsIsOneLine() {
    List<Row> rows = new ArrayList<>(MadeUp.order().rows());
    Row lost =
        rows.stream().filter(row -> row.standing() == Standing.BEHIND).findFirst().orElseThrow();
    rows.add(
        new Row(
            25,
            lost.warmUp(),
            lost.keys(),
            lost.operation(),
            lost.ours(),
            lost.peer(),
            lost.ratio(),
            lost.ourNanos(),
            lost.theirNanos()));
    String page = new OrderPage(new OrderTable("", rows)).text();
    assertTrue(page.contains("misses only, 17; 0.75 (0.75 – 0.75) misses only, 25"), page);
    assertFalse(page.contains("| 100000 |"), page);
  }
}
