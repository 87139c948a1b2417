package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.MappedBloomFilter;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.unusual.FuseProvider;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StoredFilter;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

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
  void everyRuleThatNeedsNoPutsIsKept() {
    Run run = new Run(Tier.SMOKE, 1, Duration.ZERO);
    Set<Rule> kept = EnumSet.noneOf(Rule.class);
    for (Rule rule : Rule.values()) {
      Outcome outcome = RuleTrial.of(rule, run, BuiltOnDemand.of(new FuseProvider())).outcome();
      assertTrue(outcome.status() != Status.BROKEN, rule + ": " + outcome.detail());
      if (outcome.status() == Status.KEPT) {
        kept.add(rule);
      }
    }
    assertTrue(kept.size() >= 46, kept.size() + " rules kept: " + kept);
  }

  @Test
  void aBuildThatLosesAHashIsFound() {
    Run run = new Run(Tier.SMOKE, 1, Duration.ZERO);
    FuseProvider loses =
        new FuseProvider() {
          @Override
          public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
            return super.build(spec, hashes.sorted().skip(1), limits);
          }
        };
    assertEquals(
        Status.BROKEN, RuleTrial.of(Rule.R01, run, BuiltOnDemand.of(loses)).outcome().status());
  }

  @Test
  void itsFileIsSavedVerifiedMappedAndRead() throws Exception {
    Path file = folder.resolve("fruit.bloom");
    StoredFilter built = built();
    FilterFiles.save(built, file);
    assertTrue(FILES.verify(file).isSound());
    assertEquals("fuse-prototype", FilterFiles.inspect(file).variant());
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
      assertTrue(message.contains("'fuse-prototype' is built once"), message);
    }
    String merged =
        assertThrows(
                UnexpectedFilterException.class,
                () -> FILES.merge(folder.resolve("all"), List.of(file, file)))
            .getMessage();
    assertTrue(merged.contains("does not merge"), merged);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void itIsPlannedByItsNameAndNotCreated() {
    FilterProviders providers = BLOOMERY.providers();
    assertEquals(List.of("fuse-prototype"), providers.variants());
    assertEquals(List.of(), List.copyOf(providers.all()));
    assertEquals(1, providers.allStatic().size());
    double bits =
        BLOOMERY
            .keys(KeyHasher.longs())
            .expect(1_000_000)
            .fpp(0.0079)
            .variant("fuse-prototype")
            .plan()
            .bitsPerKey();
    assertEquals(7 * 1.125, bits, 0.2);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    BLOOMERY.keys(KeyHasher.longs()).expect(100).variant("fuse-prototype").create())
            .getMessage();
    assertTrue(message.contains("'fuse-prototype' is built once"), message);
  }
}
