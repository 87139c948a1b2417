package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntersectionTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final FilterFiles FILES = BLOOMERY.files();

  @TempDir private Path folder;

  private static FilterBuilder<String> builder() {
    return BLOOMERY.<String>keys(KeyHasher.strings()).expect(100).variant("plain");
  }

  private static BloomFilter<String> filter(String... keys) {
    BloomFilter<String> filter = builder().create();
    filter.putAll(List.of(keys));
    return filter;
  }

  private static String refusal(Runnable call) {
    return assertThrows(IllegalArgumentException.class, call::run).getMessage();
  }

  @Test
  void itFindsWhatBothFindAndChangesNeither() {
    BloomFilter<String> one = filter("a", "b");
    BloomFilter<String> other = filter("b", "c");
    long setBits = one.stats().setBits();

    BloomFilter<String> both = one.intersection(other);

    assertTrue(both.mightContain("b"));
    assertFalse(both.mightContain("a") || both.mightContain("c"));
    assertEquals(setBits, one.stats().setBits());
    assertTrue(both.put("d"));
    assertFalse(one.mightContain("d") || other.mightContain("d"));
  }

  @Test
  void itsSpecIsMarkedAndHasTheFewerKeysAndTheCommonAttributes() {
    FilterSpec one =
        FilterSpec.of(90, 0.02, "id").withAttributes(Map.of("list", "a", "place", "here"));
    FilterSpec other =
        FilterSpec.of(100, 0.01, "id").withAttributes(Map.of("list", "b", "place", "here"));
    FilterSpec expected =
        FilterSpec.of(90, 0.02, "id")
            .withAttributes(Map.of("place", "here", "bloomery.intersection", "true"));
    assertEquals(expected, one.intersection(other));
    assertEquals(expected, other.intersection(one));
    assertTrue(expected.isIntersection());
    assertFalse(one.isIntersection());
    FilterSpec lower = FilterSpec.of(90, 0.01, "id");
    assertEquals(0.01, one.intersection(lower).falsePositiveRate());
    assertEquals(0.01, lower.intersection(one).falsePositiveRate());
    assertThrows(
        IllegalArgumentException.class, () -> one.intersection(FilterSpec.of(90, 0.02, "other")));
  }

  @Test
  void withoutRoomForTheMarkThereIsNone() {
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < 16; i++) {
      attributes.put("name" + i, "same");
    }
    FilterSpec full = FilterSpec.of(90, 0.02).withAttributes(attributes);
    String message = refusal(() -> full.intersection(full));
    assertTrue(message.contains("with bloomery.intersection, which Bloomery adds"), message);
  }

  @Test
  void itsStatisticsHaveNoNumberOfKeys() {
    BloomFilter<String> both = filter("a").intersection(filter("a"));
    for (int i = 0; i < 1_000; i++) {
      both.put("key " + i);
    }
    FilterStats stats = both.stats();
    assertEquals(OptionalLong.empty(), stats.approximateKeys());
    assertEquals(OptionalLong.empty(), stats.excessKeys());
    assertFalse(stats.isOverfull());
    assertTrue(stats.falsePositiveRate() > 0.5);
    assertTrue(stats.toString().contains("an unknown number of keys"), stats::toString);
  }

  @Test
  void itIsMergedOnlyIntoAnother() throws IOException {
    BloomFilter<String> plain = filter("a", "b");
    BloomFilter<String> both = plain.intersection(filter("b"));

    String message = refusal(() -> plain.putAll(both));
    assertTrue(message.contains("merged only into an intersection"), message);
    both.putAll(plain);
    assertTrue(both.mightContain("a"));
    both.putAll(both.copy());
    assertTrue(both.spec().isIntersection());
    assertEquals(both.spec(), plain.intersection(both).spec());

    Path one = folder.resolve("one");
    Path marked = folder.resolve("marked");
    Path target = folder.resolve("target");
    plain.save(one);
    both.save(marked);
    String ofFiles =
        assertThrows(
                UnexpectedFilterException.class, () -> FILES.merge(target, List.of(one, marked)))
            .getMessage();
    assertTrue(ofFiles.contains(marked.toString()), ofFiles);
    assertTrue(ofFiles.contains("merged only into an intersection"), ofFiles);
    assertFalse(Files.exists(target));
    FILES.merge(target, List.of(marked, one));
    try (MappedFilter merged = FILES.map(target)) {
      assertTrue(merged.spec().isIntersection());
      assertEquals(OptionalLong.empty(), merged.stats().approximateKeys());
    }
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheReason() {
    BloomFilter<String> filter = filter("a");
    BloomFilter<String> larger =
        BLOOMERY.<String>keys(KeyHasher.strings()).expect(1_000).variant("plain").create();
    assertTrue(filter.intersectionRefusal(larger).orElseThrow().contains("the same layout"));
    String message = refusal(() -> filter.intersection(larger));
    assertTrue(message.startsWith("there is no intersection: expected keys must make"), message);
    assertTrue(filter.intersectionRefusal(filter).isEmpty());
  }
}
