package io.bloomery.conformance.broken;

import io.bloomery.conformance.broken.Calls.Checking;
import io.bloomery.conformance.broken.Calls.Creating;
import io.bloomery.conformance.broken.Calls.HashCall;
import io.bloomery.conformance.broken.Calls.Mapping;
import io.bloomery.conformance.broken.Calls.Merge;
import io.bloomery.conformance.broken.Calls.PutBatch;
import io.bloomery.conformance.broken.Calls.Reading;
import io.bloomery.conformance.broken.Calls.Selection;
import io.bloomery.conformance.broken.Calls.Writing;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;

/** Replaces calls of a provider and its filters by what is done otherwise. */
public interface Patch extends Consumer<Calls> {

  static Patch put(HashCall otherwise) {
    return calls -> calls.put = otherwise;
  }

  static Patch mightContain(HashCall otherwise) {
    return calls -> calls.mightContain = otherwise;
  }

  static Patch putAll(PutBatch otherwise) {
    return calls -> calls.putAll = otherwise;
  }

  static Patch select(Selection otherwise) {
    return calls -> calls.select = otherwise;
  }

  static Patch spec(BiFunction<PatchedFilter, FilterSpec, FilterSpec> otherwise) {
    return calls -> calls.spec = otherwise;
  }

  static Patch limits(BiFunction<PatchedFilter, FilterLimits, FilterLimits> otherwise) {
    return calls -> calls.limits = otherwise;
  }

  static Patch stats(BiFunction<PatchedFilter, FilterStats, FilterStats> otherwise) {
    return calls -> calls.stats = otherwise;
  }

  static Patch description(
      BiFunction<PatchedFilter, FilterDescription, FilterDescription> otherwise) {
    return calls -> calls.description = otherwise;
  }

  static Patch text(BiFunction<PatchedFilter, String, String> otherwise) {
    return calls -> calls.text = otherwise;
  }

  static Patch copy(Function<PatchedFilter, Filter> otherwise) {
    return calls -> calls.copy = otherwise;
  }

  static Patch clear(Consumer<PatchedFilter> otherwise) {
    return calls -> calls.clear = otherwise;
  }

  static Patch merge(Merge otherwise) {
    return calls -> calls.merge = otherwise;
  }

  static Patch incompatibility(BiFunction<PatchedFilter, Filter, Optional<String>> otherwise) {
    return calls -> calls.incompatibility = otherwise;
  }

  static Patch folded(BiFunction<PatchedFilter, Integer, MergeableFilter> otherwise) {
    return calls -> calls.folded = otherwise;
  }

  static Patch intersection(BiFunction<PatchedFilter, Filter, PatchedFilter> otherwise) {
    return calls -> calls.intersection = otherwise;
  }

  static Patch write(Writing otherwise) {
    return calls -> calls.write = otherwise;
  }

  static Patch plan(BiFunction<FilterProvider, FilterSpec, FilterPlan> otherwise) {
    return calls -> calls.plan = otherwise;
  }

  static Patch create(Creating otherwise) {
    return calls -> calls.create = otherwise;
  }

  static Patch read(Reading otherwise) {
    return calls -> calls.read = otherwise;
  }

  static Patch map(Mapping otherwise) {
    return calls -> calls.map = otherwise;
  }

  static Patch check(Checking otherwise) {
    return calls -> calls.check = otherwise;
  }

  static Patch unionBits(BiFunction<FilterLayout, Long, OptionalLong> otherwise) {
    return calls -> calls.unionBits = otherwise;
  }

  /** Replaces each hash that is put or asked for. */
  static Patch hashes(BiFunction<PatchedFilter, Long, Long> otherwise) {
    return calls -> {
      calls.put = (filter, hash) -> filter.inner.put(otherwise.apply(filter, hash));
      calls.mightContain =
          (filter, hash) -> filter.inner.mightContain(otherwise.apply(filter, hash));
    };
  }

  /** Refuses to merge filters of other specs, beside those that a right filter refuses. */
  static Patch refuse(BiPredicate<FilterSpec, FilterSpec> differs, String reason) {
    return refuseFilters((filter, other) -> differs.test(filter.spec(), other.spec()), reason);
  }

  /** Refuses to merge some filters, beside those that a right filter refuses. */
  static Patch refuseFilters(BiPredicate<PatchedFilter, Filter> isRefused, String reason) {
    return calls -> {
      calls.incompatibility =
          (filter, other) ->
              isRefused.test(filter, other)
                  ? Optional.of(reason)
                  : filter.rightIncompatibility(other);
      calls.merge =
          (filter, other) -> {
            filter.checkFits(other);
            filter.rightMerge(other);
          };
    };
  }
}
