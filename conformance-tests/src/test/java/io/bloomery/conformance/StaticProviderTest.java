package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.MappedBloomFilter;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.broken.BuildFault;
import io.bloomery.conformance.broken.DrawnFault;
import io.bloomery.conformance.broken.PatchedPlan;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.unusual.ForwardingFuse;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fuse.FuseProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter that is built once, in the places where one that takes puts may be. */
class StaticProviderTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new FuseProvider());
  private static final FilterFiles FILES = BLOOMERY.files();
  private static final long[] HASHES =
      Stream.of("apple", "pear", "plum").mapToLong(KeyHasher.strings()::hash).toArray();

  @TempDir private Path folder;

  private static StoredFilter built() {
    FilterSpec spec = FilterSpec.of(10, 0.001, KeyHasher.strings().id());
    return new FuseProvider().build(spec, LongStream.of(HASHES), FilterLimits.HEAP);
  }

  @Test
  void aBuildThatLosesAHashIsFound() {
    StaticFilterProvider loses =
        new ForwardingFuse() {
          @Override
          public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
            return super.build(spec, hashes.sorted().skip(1), limits);
          }
        };
    assertBroken(Rule.R01, loses, "is lost");
  }

  /** Each in two ranges of keys, by the rules that are likely to see it. */
  @ParameterizedTest
  @EnumSource(BuildFault.class)
  void faultsOfBuildsThatAreDrawnAreSeen(BuildFault fault) {
    SplittableRandom random = new SplittableRandom(Seeds.ofProperty());
    for (int i = 0; i < 2; i++) {
      DrawnFault drawn = fault.draw(random);
      Run run = new Run(Tier.QUICK, random.nextLong(), Duration.ZERO);
      List<Outcome> outcomes =
          drawn.first().stream()
              .map(rule -> RuleTrial.of(rule, run, drawn.provider()).outcome())
              .toList();
      assertTrue(
          outcomes.stream().anyMatch(outcome -> outcome.status() == Status.BROKEN),
          () -> drawn.what() + ": " + outcomes);
    }
  }

  private static Outcome outcome(Rule rule, StaticFilterProvider provider) {
    Run run = new Run(Tier.SMOKE, 1, Duration.ZERO);
    return RuleTrial.of(rule, run, BuiltOnDemand.of(provider)).outcome();
  }

  private static void assertBroken(Rule rule, StaticFilterProvider provider, String detail) {
    Outcome outcome = outcome(rule, provider);
    assertEquals(Status.BROKEN, outcome.status(), outcome::toString);
    assertTrue(outcome.detail().contains(detail), outcome::detail);
  }

  private static StaticFilterProvider withType(Class<? extends StoredFilter> type) {
    return new ForwardingFuse() {
      @Override
      public Class<? extends StoredFilter> filterType() {
        return type;
      }
    };
  }

  @Test
  void aTypeOfFiltersThatItDoesNotBuildIsFound() {
    assertEquals(Status.KEPT, outcome(Rule.R80, withType(StoredFilter.class)).status());
    assertBroken(Rule.R80, withType(null), "type of the filters");
    for (Class<? extends StoredFilter> type :
        List.of(Filter.class, MergeableFilter.class, RemovableFilter.class)) {
      assertBroken(Rule.R80, withType(type), "whether filters take puts");
    }
    assertBroken(Rule.R80, withType(BuiltElsewhere.class), "is no interface");
  }

  @Test
  void aPlannedRateOfMoreKeysThanAreBuiltOfIsFound() {
    StaticFilterProvider constant =
        new ForwardingFuse() {
          @Override
          public FilterPlan plan(FilterSpec spec) {
            FilterPlan plan = super.plan(spec);
            return new PatchedPlan(plan) {
              @Override
              public double falsePositiveRate(long keys) {
                return plan.falsePositiveRate(Math.min(keys, spec.expectedKeys()));
              }
            };
          }
        };
    assertBroken(Rule.R18, constant, "no filter is built");
  }

  @Test
  void emptyContentIsFound() {
    StaticFilterProvider empty =
        new ForwardingFuse() {
          @Override
          public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
            StoredFilter built = super.build(spec, hashes, limits);
            return (StoredFilter)
                Proxy.newProxyInstance(
                    StoredFilter.class.getClassLoader(),
                    new Class<?>[] {StoredFilter.class},
                    (proxy, method, arguments) ->
                        method.getName().equals("payloadSize")
                            ? 0L
                            : method.invoke(built, arguments));
          }
        };
    assertBroken(Rule.R78, empty, "the content of a filter must have a word");
  }

  /** What no provider builds. */
  private interface BuiltElsewhere extends StoredFilter {}

  @Test
  void itsFileIsSavedVerifiedMappedAndRead() throws Exception {
    Path file = folder.resolve("fruit.bloom");
    StoredFilter built = built();
    FilterFiles.save(built, file);
    assertTrue(FILES.verify(file).isSound());
    assertEquals("fuse", FilterFiles.inspect(file).variant());
    StoredFilter opened = FILES.openView(file, OpenOptions.shared());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    FilterFiles.write(opened, bytes);
    assertEquals(FilterFiles.serializedSize(built), bytes.size());
    StoredFilter read =
        FILES.readView(new ByteArrayInputStream(bytes.toByteArray()), OpenOptions.shared());
    assertTrue(Arrays.stream(HASHES).allMatch(read::mightContain));
    try (MappedBloomFilter<CharSequence> mapped = BLOOMERY.keys(KeyHasher.strings()).map(file)) {
      assertEquals(
          List.of("apple", "plum"), mapped.select(List.of("apple", "stone", "plum", "brick")));
    }
  }

  @Test
  void whatWouldPutIntoItIsRefused() throws Exception {
    Path file = folder.resolve("fruit.bloom");
    FilterFiles.save(built(), file);
    byte[] before = Files.readAllBytes(file);
    List<Executable> calls =
        List.of(
            () -> FILES.open(file),
            () -> FILES.read(new ByteArrayInputStream(before)),
            () -> BLOOMERY.keys(KeyHasher.strings()).open(file),
            () -> {
              try (FilterUpdate<?> update =
                  FILES.update(file, Duration.ZERO, OpenOptions.shared())) {
                update.save();
              }
            });
    for (Executable call : calls) {
      String message = assertThrows(UnexpectedFilterException.class, call).getMessage();
      assertTrue(message.contains("'fuse' is built once"), message);
    }
    Path larger = folder.resolve("larger.bloom");
    FilterSpec spec = FilterSpec.of(1_000, 0.001, KeyHasher.strings().id());
    FilterFiles.save(
        new FuseProvider().build(spec, LongStream.of(HASHES), FilterLimits.HEAP), larger);
    for (Path other : List.of(file, larger)) {
      String merged =
          assertThrows(
                  UnexpectedFilterException.class,
                  () -> FILES.merge(folder.resolve("all"), List.of(file, other)))
              .getMessage();
      assertTrue(merged.contains("build one of all keys, or ask both"), merged);
    }
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void itIsPlannedByItsNameAndNotCreated() {
    FilterProviders providers = BLOOMERY.providers();
    assertEquals(List.of("fuse"), providers.variants());
    assertEquals(List.of(), List.copyOf(providers.all()));
    assertEquals(1, providers.allStatic().size());
    double bits =
        BLOOMERY
            .keys(KeyHasher.longs())
            .expect(1_000_000)
            .fpp(0.0079)
            .variant("fuse")
            .plan()
            .bitsPerKey();
    assertEquals(7 * 1.065, bits, 0.01);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> BLOOMERY.keys(KeyHasher.longs()).expect(100).variant("fuse").create())
            .getMessage();
    assertTrue(message.contains("'fuse' is built once"), message);
    assertTrue(message.contains("ReadOnlyGuard") && !message.contains("openView"), message);
  }

  @Test
  void aReaderThatReturnsNothingIsNamed() throws Exception {
    Path file = folder.resolve("fruit.bloom");
    FilterFiles.save(built(), file);
    Bloomery broken =
        Bloomery.with(
            new ForwardingFuse() {
              @Override
              public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) {
                return null;
              }

              @Override
              public StoredFilter read(
                  FilterSpec spec,
                  FilterLayout layout,
                  PayloadInput in,
                  ThreadMode mode,
                  FilterLimits limits) {
                return null;
              }
            });
    List<Executable> calls =
        List.of(
            () -> broken.keys(KeyHasher.strings()).map(file),
            () -> broken.files().openView(file, OpenOptions.shared()));
    for (Executable call : calls) {
      String message = assertThrows(NullPointerException.class, call).getMessage();
      assertTrue(message.contains("must return a filter, but returned null"), message);
    }
  }

  @Test
  void noBitsAreNoneSet() {
    assertEquals(0, FilterStats.of(FilterSpec.of(10, 0.1)).build().fill());
  }
}
