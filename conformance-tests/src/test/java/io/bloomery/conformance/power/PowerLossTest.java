package io.bloomery.conformance.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.conformance.DayDraw;
import io.bloomery.conformance.power.History.Force;
import io.bloomery.conformance.run.Capability;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.filter.FilterProvider;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is in files after a loss of power. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows cannot force folders to the disk")
class PowerLossTest {

  private static final List<String> MERGING = variants(Capability.MERGING);
  private static final List<String> LIVING = variants(Capability.LIVING);

  /** Warns of each live filter that was not closed. */
  private static final Logger LOG = Logger.getLogger("io.bloomery.file");

  /** More than any version has. */
  private static final int MANY = 1000;

  @TempDir private Path folder;

  private static List<String> variants(Capability capability) {
    return Bloomery.installed().providers().all().stream()
        .filter(capability::isOfferedBy)
        .map(FilterProvider::variant)
        .toList();
  }

  @BeforeAll
  static void warnOfNothing() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void warn() {
    LOG.setLevel(null);
  }

  /** What is changed, and how much of it is checked of what it leaves. */
  private enum Kind {
    SAVE(
        "save, update, merge",
        0.6,
        60,
        100,
        (random, byNight) -> saves(MERGING.get(random.nextInt(MERGING.size())))),
    SHARDS("shards", 0.6, 60, 100, (random, byNight) -> new Shards()),
    WINDOWS("windows", 0.6, 60, 100, (random, byNight) -> windows()),
    LIVE("live filters", 0.3, 20, 12, PowerLossTest::live);

    private final String title;
    private final double shareByDay;
    private final int runsByNight;
    private final int drawsByNight;

    @SuppressWarnings("ImmutableEnumChecker") // keeps nothing
    private final BiFunction<Random, Boolean, Workload> draw;

    Kind(
        String title,
        double shareByDay,
        int runsByNight,
        int drawsByNight,
        BiFunction<Random, Boolean, Workload> draw) {
      this.title = title;
      this.shareByDay = shareByDay;
      this.runsByNight = runsByNight;
      this.drawsByNight = drawsByNight;
      this.draw = draw;
    }
  }

  private static Workload live(Random random, boolean byNight) {
    // A table of 20 KB, or of three MiB, each of which has a checksum.
    int keys = byNight && random.nextInt(20) == 0 ? 2_000_000 : 20_000;
    return new Live(LIVING.get(random.nextInt(LIVING.size())), keys, 0, 0);
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

  private List<Kind> kinds() throws IOException {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    if (!RecordedMapping.isRecordable(folder)) {
      System.out.println("without live filters: the system does not tell which pages are dirty");
      kinds.remove(Kind.LIVE);
    }
    return kinds;
  }

  private void check(boolean byNight, Random random) throws IOException {
    List<String> table = new ArrayList<>(List.of(PowerLossCampaign.head()));
    List<String> failures = new ArrayList<>();
    for (Kind kind : kinds()) {
      PowerLossCampaign campaign = new PowerLossCampaign(kind.title, folder, random);
      for (int i = 0; i < (byNight ? kind.runsByNight : 1); i++) {
        campaign.run(
            kind.draw.apply(random, byNight),
            event -> false,
            byNight ? 1 : kind.shareByDay,
            byNight ? kind.drawsByNight : 4);
      }
      table.add(campaign.toString());
      failures.addAll(campaign.failures());
    }
    System.out.println(String.join("\n", table));
    assertEquals(List.of(), failures);
  }

  @Test
  void nothingThatIsDoneIsLostAndNothingDamagedIsAccepted() throws IOException {
    check(false, DayDraw.random());
  }

  @Test
  @Tag("nightly")
  void nothingIsLostInAnyOfManyStates() throws IOException {
    check(true, DayDraw.random());
  }

  /** So the replay finds what is not forced, and each kind of force is needed. */
  private void leaveOutForces(Kind kind, Random random) throws IOException {
    List<Predicate<Force>> forces =
        new ArrayList<>(
            List.of(
                force -> force.node().isFolder(),
                force -> !force.node().isFolder() && !force.isMapped()));
    if (kind == Kind.LIVE) {
      forces.add(Force::isMapped);
    }
    for (Predicate<Force> left : forces) {
      PowerLossCampaign campaign = new PowerLossCampaign(kind.title, folder, random);
      campaign.run(
          kind.draw.apply(random, false),
          event -> event instanceof Force force && left.test(force),
          1,
          0);
      assertNotEquals(List.of(), campaign.failures(), kind.title);
    }
  }

  @Test
  void aForceThatIsLeftOutIsFound() throws IOException {
    Random random = DayDraw.random();
    List<Kind> kinds = kinds();
    leaveOutForces(kinds.get(random.nextInt(kinds.size())), random);
  }

  @Test
  @Tag("nightly")
  void eachForceThatIsLeftOutIsFound() throws IOException {
    Random random = DayDraw.random();
    for (Kind kind : kinds()) {
      leaveOutForces(kind, random);
    }
  }
}
