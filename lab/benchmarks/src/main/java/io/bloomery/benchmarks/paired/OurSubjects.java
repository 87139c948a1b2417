package io.bloomery.benchmarks.paired;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.benchmarks.paired.Subject.Role;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The subjects of the installed variants: each as it is, confined, with vectors and mapped, and
 * with the further forms of its kind. The kind of a variant is derived from the types, plans and
 * positions of its provider.
 */
final class OurSubjects {

  private static final FilterSpec EXAMPLE = FilterSpec.of(100_000, 0.01);
  private static final long LINE_BITS = 512;
  private static final int HASHES = 100;

  private OurSubjects() {}

  /** Returns the subjects by kind, beginning with the default variant within its kind. */
  static List<Subject> all() {
    List<FilterProvider> providers = new ArrayList<>(Bloomery.installed().providers().all());
    providers.sort(
        Comparator.comparing(OurSubjects::role)
            .thenComparing(provider -> !isDefault(provider))
            .thenComparing(FilterProvider::variant));
    List<Subject> subjects = new ArrayList<>();
    providers.forEach(provider -> add(provider, subjects));
    providers.forEach(
        provider -> subjects.add(mapped(provider.variant(), "MappedBloomeryLongs", "")));
    for (StaticFilterProvider provider : Bloomery.installed().providers().allStatic()) {
      String variant = provider.variant();
      subjects.add(Subject.built(variant, "BloomeryBuiltLongs", variant));
      subjects.add(vector(variant, Role.BUILT, "BloomeryBuiltLongs"));
      subjects.add(mapped(variant, "BloomeryBuiltLongs", " mapped"));
    }
    return subjects;
  }

  private static boolean isDefault(FilterProvider provider) {
    return provider.variant().equals(FilterBuilder.DEFAULT_VARIANT);
  }

  private static void add(FilterProvider provider, List<Subject> subjects) {
    String variant = provider.variant();
    Role role = role(provider);
    subjects.add(subject(variant, role, variant));
    if (isDefault(provider)) {
      Map<KeyKind, String> boxed = Map.of(KeyKind.LONG, "BloomeryBoxedLongs");
      subjects.add(new Subject(variant + "-boxed", role, boxed, variant, false));
    }
    if (role == Role.GROWING) {
      // Each layer has twice as many keys as the one before: 1 + 2 + 4 + 8 + 16 + 32 is 63.
      subjects.add(subject(variant + "-six-layers", role, variant + " 1/50"));
      return;
    }
    subjects.add(subject(variant + "-confined", role, variant + " confined"));
    subjects.add(vector(variant, role, "BloomeryLongs"));
  }

  private static Subject subject(String name, Role role, String argument) {
    return new Subject(name, role, Subject.classes("Bloomery"), argument, false);
  }

  private static Subject vector(String variant, Role role, String type) {
    Map<KeyKind, String> classes = Map.of(KeyKind.LONG, type);
    return new Subject(variant + "-vector", role, classes, variant + " vector", true);
  }

  private static Subject mapped(String variant, String type, String further) {
    Map<KeyKind, String> classes = Map.of(KeyKind.LONG, type);
    return new Subject(variant + "-mapped", Role.MAPPED, classes, variant + further, false);
  }

  private static Role role(FilterProvider provider) {
    if (RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      return Role.COUNTING;
    }
    FilterPlan plan = provider.plan(EXAMPLE);
    if (plan.falsePositiveRate(100 * EXAMPLE.expectedKeys()) <= EXAMPLE.falsePositiveRate()) {
      return Role.GROWING;
    }
    return keepsBitsTogether(provider, plan) ? Role.BLOCKED : Role.PLAIN;
  }

  /** Returns whether all bits of a key are within as many bits as a cache line has. */
  private static boolean keepsBitsTogether(FilterProvider provider, FilterPlan plan) {
    return new SplittableRandom(1)
        .longs(HASHES)
        .allMatch(
            hash ->
                provider
                    .positions(hash, plan.sizeInBits(), plan.probes())
                    .filter(positions -> spread(positions) < LINE_BITS)
                    .isPresent());
  }

  private static long spread(long[] positions) {
    return LongStream.of(positions).max().orElse(0) - LongStream.of(positions).min().orElse(0);
  }
}
