package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Sense;
import io.bloomery.conformance.broken.WrappedFilter.Habit;
import io.bloomery.conformance.broken.WrappedProvider.Kind;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.hash.KeyForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Function;

/** What can be wrong with what makes two filters alike. */
public enum AlikeFault {
  TAKES_OTHER_HASH_IDS(Rule.R30),
  TAKES_OTHER_KEY_FORMS(Rule.R81),
  REFUSES_WHAT_FITS(Rule.R31, Rule.R81, Rule.R77),
  MERGES_WRONGLY(Rule.R31, Rule.R77, Rule.R81),
  READS_WRONGLY_UNDER_ANOTHER_SPEC(Rule.R75),
  CUTS_ITS_SPEC(Rule.R22, Rule.R32, Rule.R77);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  AlikeFault(Rule... first) {
    this.first = List.of(first);
  }

  /** A part of a text that is compared in place of all of it. */
  private enum Part {
    FIRST,
    LAST,
    BOTH_ENDS,
    LOWER_CASE,
    HASH_CODE,
    WITHOUT_DIGITS,
    SORTED,
    BEFORE_A_SIGN,
    BEHIND_A_SIGN;

    Object of(String text, int length, char sign) {
      int size = text.length();
      int most = Math.min(length, size);
      return switch (this) {
        case FIRST -> text.substring(0, most);
        case LAST -> text.substring(size - most);
        case BOTH_ENDS ->
            text.substring(0, Math.min(8, size)) + size + text.substring(Math.max(0, size - 8));
        case LOWER_CASE -> text.toLowerCase(Locale.ROOT);
        case HASH_CODE -> text.hashCode();
        case WITHOUT_DIGITS -> text.replaceAll("[0-9]", "");
        case SORTED -> Arrays.toString(text.chars().sorted().toArray());
        case BEFORE_A_SIGN -> text.indexOf(sign) < 0 ? text : text.substring(0, text.indexOf(sign));
        case BEHIND_A_SIGN -> text.substring(text.lastIndexOf(sign) + 1);
      };
    }
  }

  /** In what two filters differ that are alike. */
  private enum Relation {
    KEYS,
    RATE,
    ATTRIBUTES,
    MODE,
    OTHER_IS_READ,
    THIS_IS_READ,
    LONG_IDS,
    MANY_ATTRIBUTES;

    boolean holds(WrappedFilter here, Filter other, int length) {
      FilterSpec mine = here.inner.spec();
      FilterSpec theirs = other.spec();
      WrappedFilter there = (WrappedFilter) other;
      return switch (this) {
        case KEYS -> mine.expectedKeys() != theirs.expectedKeys();
        case RATE -> mine.falsePositiveRate() != theirs.falsePositiveRate();
        case ATTRIBUTES -> !mine.attributes().equals(theirs.attributes());
        case MODE -> here.mode() != there.mode();
        case OTHER_IS_READ -> there.has(Step.READ);
        case THIS_IS_READ -> here.has(Step.READ);
        case LONG_IDS -> mine.hashId().length() > length;
        case MANY_ATTRIBUTES -> mine.attributes().size() > 2 + length % 12;
      };
    }
  }

  /** What goes wrong. */
  private enum Effect {
    LOSES_OTHER,
    LOSES_A_WORD,
    LOSES_ITS_OWN,
    TAKES_THE_SPEC,
    CHANGES_OTHER
  }

  public DrawnFault draw(SplittableRandom random) {
    Kind kind = MemoryFault.one(random, List.of(Kind.STANDARD, Kind.COUNTING));
    int length = (int) (4 * Math.pow(254 / 4.0, random.nextDouble()));
    char sign = MemoryFault.one(random, List.of('/', '=', '-'));
    Part part = MemoryFault.one(random, List.of(Part.values()));
    Relation relation = MemoryFault.one(random, List.of(Relation.values()));
    Effect effect = MemoryFault.one(random, List.of(Effect.values()));
    int call = random.nextInt(4);
    FaultWindow window =
        switch (this) {
          case TAKES_OTHER_HASH_IDS, READS_WRONGLY_UNDER_ANOTHER_SPEC ->
              MemoryFault.window(kind, random, Sense.MODE);
          default -> FaultWindow.EVERYWHERE;
        };
    Function<String, Object> partOf = text -> part.of(text, length, sign);
    Habit habit =
        switch (this) {
          case TAKES_OTHER_HASH_IDS ->
              new Taking(
                  (mine, theirs) ->
                      partOf.apply(mine.hashId()).equals(partOf.apply(theirs.hashId()))
                          ? withHashId(theirs, mine.hashId())
                          : theirs);
          case TAKES_OTHER_KEY_FORMS ->
              new Taking(
                  (mine, theirs) ->
                      partOf.apply(mine.keyForm()).equals(partOf.apply(theirs.keyForm()))
                          ? withKeyForm(theirs, mine.keyForm())
                          : theirs);
          case REFUSES_WHAT_FITS -> new Refusing(relation, length);
          case MERGES_WRONGLY -> new Merging(relation, length, effect);
          case READS_WRONGLY_UNDER_ANOTHER_SPEC -> new Misread(call);
          case CUTS_ITS_SPEC -> new Cutting(length, call);
        };
    String what =
        switch (this) {
          case TAKES_OTHER_HASH_IDS, TAKES_OTHER_KEY_FORMS -> part + " " + length + " " + sign;
          case REFUSES_WHAT_FITS -> relation + " " + length;
          case MERGES_WRONGLY -> relation + " " + length + " " + effect;
          case READS_WRONGLY_UNDER_ANOTHER_SPEC -> "call " + call;
          case CUTS_ITS_SPEC -> (call % 2 == 0 ? "id at " : "text at ") + length + " " + call / 2;
        };
    return new DrawnFault(
        String.format(Locale.ROOT, "alike: %s %s [%s] of %s filters", this, what, window, kind),
        new WrappedProvider(kind.provider, window, spec -> habit),
        first);
  }

  private static FilterSpec withHashId(FilterSpec spec, String hashId) {
    return FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate(), hashId)
        .withAttributes(spec.attributes());
  }

  private static FilterSpec withKeyForm(FilterSpec spec, String form) {
    Map<String, String> attributes = new TreeMap<>(spec.attributes());
    attributes.put(KeyForm.ATTRIBUTE, form);
    return spec.withAttributes(attributes);
  }

  /** Returns the same filter under another spec. */
  private static Filter recast(WrappedFilter like, FilterSpec spec, Payload content) {
    try {
      return like.provider.inner.read(
          spec, like.inner.layout(), content.reread(), like.mode(), FilterLimits.HEAP);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the spec to take another filter for, given its own. */
  private interface Taken {
    FilterSpec of(FilterSpec here, FilterSpec there);
  }

  private static final class Taking extends Habit {
    private final Taken taken;

    Taking(Taken taken) {
      this.taken = taken;
    }

    private Filter recast(WrappedFilter filter, Filter other) {
      FilterSpec spec = other.spec();
      FilterSpec as = taken.of(filter.inner.spec(), spec);
      return as.equals(spec) || !other.layout().equals(filter.inner.layout())
          ? other
          : AlikeFault.recast(filter, as, Payload.of(other));
    }

    @Override
    Optional<String> incompatibility(WrappedFilter filter, Filter other) {
      return super.incompatibility(filter, recast(filter, other));
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      super.merge(filter, recast(filter, other));
    }
  }

  private static final class Refusing extends Habit {
    private final Relation relation;
    private final int length;

    Refusing(Relation relation, int length) {
      this.relation = relation;
      this.length = length;
    }

    @Override
    Optional<String> incompatibility(WrappedFilter filter, Filter other) {
      Optional<String> reason = super.incompatibility(filter, other);
      return reason.isEmpty() && relation.holds(filter, other, length)
          ? Optional.of("filters must be alike, but are not")
          : reason;
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      incompatibility(filter, other)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(reason);
              });
      super.merge(filter, other);
    }
  }

  private static final class Merging extends Habit {
    private final Relation relation;
    private final int length;
    private final Effect effect;
    private final Map<WrappedFilter, FilterSpec> specs =
        Collections.synchronizedMap(new WeakHashMap<>());

    Merging(Relation relation, int length, Effect effect) {
      this.relation = relation;
      this.length = length;
      this.effect = effect;
    }

    @Override
    FilterSpec spec(WrappedFilter filter) {
      return specs.getOrDefault(filter, super.spec(filter));
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      if (super.incompatibility(filter, other).isPresent()
          || !relation.holds(filter, other, length)) {
        super.merge(filter, other);
        return;
      }
      switch (effect) {
        case LOSES_OTHER -> {}
        case LOSES_A_WORD -> {
          Payload content = Payload.of(other);
          long[] words = content.words().clone();
          int at = 0;
          while (at < words.length - 1 && words[at] == 0) {
            at++;
          }
          words[at] = 0;
          super.merge(filter, recast(filter, other.spec(), new Payload(content.size(), words)));
        }
        case LOSES_ITS_OWN -> {
          filter.inner.clear();
          super.merge(filter, other);
        }
        case TAKES_THE_SPEC -> {
          super.merge(filter, other);
          specs.put(filter, other.spec());
        }
        case CHANGES_OTHER -> {
          super.merge(filter, other);
          Filter there = WrappedFilter.unwrap(other);
          Filter union = filter.inner.copy();
          there.clear();
          ((MergeableFilter) there).putAll(union);
        }
      }
    }
  }

  private static final class Misread extends Habit {
    private final int call;

    Misread(int call) {
      this.call = call;
    }

    private boolean isMisread(WrappedFilter filter) {
      return filter.has(Step.READ)
          && !filter.has(Step.COPY)
          && !filter
              .provider
              .inner
              .create(filter.inner.spec(), filter.mode())
              .layout()
              .equals(filter.inner.layout());
    }

    @Override
    boolean ask(WrappedFilter filter, long hash) {
      return super.ask(filter, hash) && !(call == 0 && (hash & 15) == 3 && isMisread(filter));
    }

    @Override
    int select(WrappedFilter filter, long[] hashes, int from, int to, int[] hits) {
      int found = super.select(filter, hashes, from, to, hits);
      return call == 1 && found > 0 && isMisread(filter) ? found - 1 : found;
    }

    @Override
    FilterStats stats(WrappedFilter filter) {
      FilterStats stats = super.stats(filter);
      return call == 2 && isMisread(filter)
          ? stats.toBuilder().falsePositiveRate(stats.falsePositiveRate() / 2).build()
          : stats;
    }

    @Override
    Filter copy(WrappedFilter filter) {
      Filter copy = super.copy(filter);
      if (call == 3 && isMisread(filter)) {
        copy.clear();
      }
      return copy;
    }
  }

  private static final class Cutting extends Habit {
    private final int length;
    private final int call;

    Cutting(int length, int call) {
      this.length = Math.max(16, length);
      this.call = call;
    }

    @Override
    FilterSpec spec(WrappedFilter filter) {
      FilterSpec spec = super.spec(filter);
      if (call >= 2 && !filter.has(Step.COPY) && !filter.has(Step.READ)) {
        return spec;
      }
      if (call % 2 == 0) {
        String id = spec.hashId();
        return withHashId(spec, id.substring(0, Math.min(length, id.length())));
      }
      Map<String, String> attributes = new TreeMap<>(spec.attributes());
      attributes.replaceAll(
          (name, text) -> text.codePointCount(0, text.length()) > length ? "" : text);
      return spec.withAttributes(attributes);
    }
  }
}
