package io.bloomery.cli.filter;

import static java.util.Comparator.comparingLong;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterHeader;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.VariantProvider;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Filters to merge, of which the larger ones are folded to the size of the smallest, in files of
 * their own until they are closed. The smallest comes first: the union has its expected keys and
 * rate.
 */
final class FoldedSources implements Closeable {

  private final Path folder;
  private final List<Path> paths = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  private FoldedSources(Path folder) {
    this.folder = folder;
  }

  /**
   * Folds filters.
   *
   * @throws Failure if one cannot be read, or does not fold to the size of the smallest
   */
  static FoldedSources of(Session session, List<Path> sources) throws Failure, IOException {
    Path smallest = sources.get(0);
    FilterHeader least = header(smallest);
    for (Path source : sources) {
      FilterHeader header = header(source);
      if (header.payloadSize() < least.payloadSize()) {
        smallest = source;
        least = header;
      }
    }
    FoldedSources folded = new FoldedSources(Files.createTempDirectory("bloomery"));
    boolean isWhole = false;
    try {
      folded.paths.add(smallest);
      // All but the first occurrence, since a source named twice is merged twice.
      List<Path> others = new ArrayList<>(sources);
      others.remove(smallest);
      for (Path source : others) {
        FilterHeader header = header(source);
        folded.paths.add(
            header.layout().equals(least.layout()) || !header.variant().equals(least.variant())
                ? source
                : folded.fold(session.bloomery(), source, least, smallest));
      }
      isWhole = true;
      return folded;
    } finally {
      if (!isWhole) {
        folded.close();
      }
    }
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

  private Path fold(Bloomery bloomery, Path source, FilterHeader least, Path smallest)
      throws Failure, IOException {
    StoredFilter filter;
    try {
      filter = bloomery.files().openView(source, OpenOptions.confined());
    } catch (IOException e) {
      throw Failure.reading(source, e);
    }
    // Of slices, a few words behind the last are not folded.
    long factor = filter.payloadSize() / least.payloadSize();
    Optional<MergeableFilter> smaller =
        filter instanceof MergeableFilter large && factor <= Integer.MAX_VALUE
            ? folded(large, (int) factor)
            : Optional.empty();
    if (smaller.isEmpty() || !smaller.get().layout().equals(least.layout())) {
      throw Failure.usage(
          "filters cannot be merged: "
              + source
              + " with "
              + filter.layout()
              + " does not fold to "
              + least.layout()
              + ", the layout of "
              + smallest
              + "; make one of them again as the other was made");
    }
    Path file = folder.resolve(paths.size() + ".bloom");
    FilterFiles.save(smaller.get(), file);
    told.add(source + " by " + factor);
    return file;
  }

  private static Optional<MergeableFilter> folded(MergeableFilter large, int factor) {
    return large.folding().refusal(factor).isPresent()
        ? Optional.empty()
        : Optional.of(large.folded(factor));
  }

  /** Returns the files to merge. */
  List<Path> paths() {
    return paths;
  }

  /** Returns the names of what was folded, each with its factor. */
  List<String> told() {
    return told;
  }

  @Override
  public void close() throws IOException {
    for (Path path : paths) {
      if (folder.equals(path.getParent())) {
        Files.delete(path);
      }
    }
    Files.delete(folder);
  }
}
