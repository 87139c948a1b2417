package io.bloomery.conformance.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.conformance.DayDraw;
import io.bloomery.conformance.power.History.Event;
import io.bloomery.conformance.power.History.Force;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is in files after a loss of power. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows cannot force folders to the disk")
class PowerLossTest {

  private static final List<String> VARIANTS =
      List.of("standard", "partitioned", "blocked", "counting");

  /** More than any version has. */
  private static final int MANY = 1000;

  @TempDir private Path folder;

  private static Map<String, Function<Random, Workload>> workloads() {
    Map<String, Function<Random, Workload>> all = new LinkedHashMap<>();
    all.put("save, update, merge", random -> saves(VARIANTS.get(random.nextInt(VARIANTS.size()))));
    all.put("shards", random -> new Shards());
    all.put("windows", random -> windows());
    return all;
  }

  private static Workload saves(String variant) {
    Replacements.Way save = (file, keys) -> filter(variant, 0, keys).save(file);
    return new Replacements(
        (file, keys) -> FilterFiles.saveNew(filter(variant, 0, keys).filter(), file),
        List.of(save, PowerLossTest::update, (file, keys) -> merge(variant, file, keys)),
        List.of(
            file -> Bloomery.strings().open(file)::mightContain,
            file -> Bloomery.strings().map(file)::mightContain));
  }

  private static BloomFilter<String> filter(String variant, int from, int to) {
    BloomFilter<String> filter = Bloomery.strings().expect(MANY).variant(variant).create();
    for (int i = from; i < to; i++) {
      filter.put(Replacements.key(i));
    }
    return filter;
  }

  private static void update(Path file, int keys) throws IOException {
    try (FilterUpdate<BloomFilter<String>> update =
        Bloomery.strings().update(file, Duration.ofMinutes(1))) {
      for (int i = 0; i < keys; i++) {
        update.filter().put(Replacements.key(i));
      }
      update.save();
    }
  }

  private static void merge(String variant, Path file, int keys) throws IOException {
    Path other = file.resolveSibling("other.bloom");
    filter(variant, keys / 2, keys).save(other);
    FilterFiles.installed().merge(file, List.of(file, other));
  }

  private static Workload windows() {
    Replacements.Way save =
        (file, keys) -> {
          SlidingBloomFilter<String> window =
              SlidingBloomFilter.builder(Bloomery.strings().expect(MANY)).create();
          for (int i = 0; i < keys; i++) {
            window.put(Replacements.key(i));
          }
          window.save(file);
        };
    return new Replacements(
        save,
        List.of(save),
        List.of(file -> SlidingBloomFilter.open(Bloomery.strings(), file)::mightContain));
  }

  private void run(int runs, double share, int draws, Random random) throws IOException {
    List<String> table = new ArrayList<>(List.of(PowerLossCampaign.head()));
    List<String> failures = new ArrayList<>();
    for (Map.Entry<String, Function<Random, Workload>> each : workloads().entrySet()) {
      PowerLossCampaign campaign = new PowerLossCampaign(each.getKey(), folder, random);
      for (int i = 0; i < runs; i++) {
        campaign.run(each.getValue().apply(random), event -> false, share, draws);
      }
      table.add(campaign.toString());
      failures.addAll(campaign.failures());
    }
    System.out.println(String.join("\n", table));
    assertEquals(List.of(), failures.subList(0, Math.min(5, failures.size())));
  }

  @Test
  void nothingThatIsDoneIsLostAndNothingDamagedIsAccepted() throws IOException {
    run(1, 0.6, 4, DayDraw.random());
  }

  @Test
  @Tag("nightly")
  void nothingIsLostInAnyOfManyStates() throws IOException {
    run(60, 1, 100, DayDraw.random());
  }

  /** So the replay finds what is not forced, and each kind of force is needed. */
  private void leaveOut(String name, Random random) throws IOException {
    List<Predicate<Event>> forces =
        List.of(
            event -> event instanceof Force force && force.node().isFolder(),
            event -> event instanceof Force force && !force.node().isFolder());
    for (Predicate<Event> left : forces) {
      PowerLossCampaign campaign = new PowerLossCampaign(name, folder, random);
      campaign.run(workloads().get(name).apply(random), left, 1, 0);
      assertNotEquals(List.of(), campaign.failures(), name);
    }
  }

  @Test
  void aForceThatIsLeftOutIsFound() throws IOException {
    Random random = DayDraw.random();
    List<String> names = List.copyOf(workloads().keySet());
    leaveOut(names.get(random.nextInt(names.size())), random);
  }

  @Test
  @Tag("nightly")
  void eachForceThatIsLeftOutIsFound() throws IOException {
    Random random = DayDraw.random();
    for (String name : workloads().keySet()) {
      leaveOut(name, random);
    }
  }
}
