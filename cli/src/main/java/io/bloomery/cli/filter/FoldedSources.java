package io.bloomery.cli.filter;

import static java.util.Comparator.comparingLong;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterHeader;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Filters to merge, of which the larger ones are folded in memory to the size of the smallest. */
final class FoldedSources {

  private final Bloomery bloomery;
  private final List<Path> sources;
  private final List<FilterHeader> headers = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private int smallest;

  private FoldedSources(Bloomery bloomery, List<Path> sources) {
    this.bloomery = bloomery;
    this.sources = sources;
  }

  /**
   * Reads the headers of filters.
   *
   * @throws Failure if one cannot be read
   */
  static FoldedSources of(Session session, List<Path> sources) throws Failure {
    FoldedSources folded = new FoldedSources(session.bloomery(), sources);
    for (Path source : sources) {
      FilterHeader header = header(source);
      folded.headers.add(header);
      if (header.payloadSize() < folded.least().payloadSize()) {
        folded.smallest = folded.headers.size() - 1;
      }
    }
    return folded;
  }

  private FilterHeader least() {
    return headers.get(smallest);
  }

  /** Returns whether the filters are of one variant and differ in their layouts. */
  boolean mustFold() {
    return headers.stream().map(FilterHeader::variant).distinct().count() == 1
        && headers.stream().map(FilterHeader::layout).distinct().count() > 1;
  }

  /** Returns whether filters that do not merge would, if larger ones were folded. */
  static boolean wouldMerge(Session session, List<Path> sources) throws Failure {
    List<FilterHeader> headers = new ArrayList<>();
    Set<List<Object>> kinds = new HashSet<>();
    for (Path source : sources) {
      if (StandardStreams.isNamedBy(source)) {
        return false; // it has been read
      }
      FilterHeader header = header(source);
      Map<String, Long> numbers = new TreeMap<>(header.layout().toMap());
      numbers.remove("bits");
      kinds.add(
          List.of(
              header.variant(),
              header.spec().hashId(),
              header.spec().keyForm(),
              header.spec().isIntersection(),
              numbers));
      headers.add(header);
    }
    FilterHeader least = Collections.min(headers, comparingLong(FilterHeader::payloadSize));
    Bloomery bloomery = session.bloomery();
    return kinds.size() == 1
        && headers.stream().anyMatch(header -> !header.layout().equals(least.layout()))
        && headers.stream()
            .allMatch(
                header -> header.layout().equals(least.layout()) || folds(bloomery, header, least));
  }

  /** Returns whether a filter, as it is planned, folds to the size of another. */
  private static boolean folds(Bloomery bloomery, FilterHeader header, FilterHeader least) {
    long factor = header.payloadSize() / least.payloadSize();
    // Of slices, a few words behind the last are not folded.
    long unused = Long.BYTES * header.layout().toMap().getOrDefault("probes", 1L);
    if (factor > Integer.MAX_VALUE || header.payloadSize() % least.payloadSize() >= unused) {
      return false;
    }
    try {
      VariantProvider provider = bloomery.providers().variant(header.variant());
      return provider.plan(header.spec()).folding().refusal((int) factor).isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static FilterHeader header(Path source) throws Failure {
    try {
      return FilterFiles.inspect(source);
    } catch (IOException e) {
      throw Failure.reading(source, e);
    }
  }

  /**
   * Loads the filters one after the other, and returns their union, which has the expected keys and
   * rate of the smallest.
   *
   * @throws Failure if one cannot be read, or does not fold to the size of the smallest or merge
   */
  MergeableFilter union() throws Failure {
    told.clear();
    MergeableFilter union = folded(smallest);
    for (int i = 0; i < sources.size(); i++) {
      if (i != smallest) {
        MergeableFilter other = folded(i);
        Optional<String> mismatch = union.incompatibility(other);
        if (mismatch.isPresent()) {
          throw Failure.usage(
              "filters in %s and %s cannot be merged: %s",
              sources.get(smallest), sources.get(i), mismatch.get());
        }
        union.putAll(other);
      }
    }
    return union;
  }

  private MergeableFilter folded(int index) throws Failure {
    Path source = sources.get(index);
    StoredFilter filter;
    try {
      filter = bloomery.files().openView(source, OpenOptions.confined());
    } catch (IOException e) {
      throw Failure.reading(source, e);
    }
    FilterLayout layout = least().layout();
    if (filter instanceof MergeableFilter same && filter.layout().equals(layout)) {
      return same;
    }
    // Of slices, a few words behind the last are not folded.
    long factor = filter.payloadSize() / least().payloadSize();
    Optional<MergeableFilter> smaller =
        filter instanceof MergeableFilter large && factor <= Integer.MAX_VALUE
            ? folded(large, (int) factor)
            : Optional.empty();
    if (smaller.isEmpty() || !smaller.get().layout().equals(layout)) {
      throw Failure.usage(
          "filters cannot be merged: %s with %s does not fold to %s, the layout of %s; make"
              + " one of them again as the other was made",
          source, filter.layout(), layout, sources.get(smallest));
    }
    told.add(source + " by " + factor);
    return smaller.get();
  }

  private static Optional<MergeableFilter> folded(MergeableFilter large, int factor) {
    return large.folding().refusal(factor).isPresent()
        ? Optional.empty()
        : Optional.of(large.folded(factor));
  }

  /** Returns the names of what was folded, each with its factor. */
  List<String> told() {
    return told;
  }
}
