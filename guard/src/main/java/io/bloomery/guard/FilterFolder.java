package io.bloomery.guard;

import io.bloomery.BloomFilterView;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.LiveBloomFilter;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveState;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.file.FileReplacement;
import io.bloomery.internal.file.NameLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A folder of a guard whose filters are live files: one that serves, which the file {@code serving}
 * names, and one that is being filled.
 *
 * <p>The file that is named has the key of every write of the guard, from before its action runs: a
 * filter is named while writes put into both, and the name is removed before a write goes on whose
 * key is missing. So whatever ends the process, the next one may serve from it, unless a loss of
 * power may have taken what was put last.
 */
final class FilterFolder<K> implements FilterStore<K> {
  // decisions.md#a-guard-keeps-its-filter-in-a-folder-and-renames-one-line

  private static final String FILES = "filter-*.live";

  private final Path folder;
  private final Path serving;
  private final Filters<K> filters;
  private final GuardLog log;
  private final NameLock lock;
  private volatile @Nullable Path inUse; // the file that is kept
  private boolean isClosed;

  private FilterFolder(Path folder, Filters<K> filters, GuardLog log, NameLock lock) {
    this.folder = folder;
    this.serving = serving(folder);
    this.filters = filters;
    this.log = log;
    this.lock = lock;
  }

  private static Path serving(Path folder) {
    return folder.resolve("serving");
  }

  /**
   * Opens a folder, which is made if there is none.
   *
   * @throws IOException if another guard has it open, or it cannot be written to
   */
  static <K> FilterFolder<K> open(Path folder, Filters<K> filters, GuardLog log)
      throws IOException {
    Files.createDirectories(folder);
    NameLock lock =
        NameLock.tryHold(serving(folder))
            .orElseThrow(
                () ->
                    new FileSystemException(
                        folder.toString(),
                        null,
                        "must be used by one guard at a time, but another one has it open"
                            + writer(folder)
                            + "; give each guard and each process a folder of its own, or close"
                            + " the other first"));
    return new FilterFolder<>(folder, filters, log, lock);
  }

  private static String writer(Path folder) {
    try {
      return KeptName.read(serving(folder)).flatMap(kept -> state(folder, kept)).stream()
          .filter(LiveState::isOpen)
          .map(open -> ", in process " + open.process() + " since " + open.since())
          .findAny()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static Optional<LiveState> state(Path folder, KeptName kept) {
    try {
      return FilterFiles.inspect(folder.resolve(kept.file())).live();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** {@inheritDoc} If it cannot be used, the log has the reason, and it is removed. */
  @Override
  public Optional<Kept<K>> kept() {
    Optional<Kept<K>> kept = Optional.empty();
    try {
      kept = KeptName.read(serving).flatMap(this::resume);
    } catch (IOException e) {
      log.warning(" does not know which filter it kept", e);
    }
    if (kept.isEmpty()) {
      // From now on it would lack what is written.
      forsake();
    }
    removeOthers();
    return kept;
  }

  private Optional<Kept<K>> resume(KeptName kept) {
    boolean mayLackKeys =
        !kept.isOfThisBoot() && state(folder, kept).filter(LiveState::isOpen).isPresent();
    if (mayLackKeys) {
      log.warning(
          " fills a new filter: the one it kept was not closed, and the system was started again"
              + " since, so that keys that were put last may not be on the disk");
      return Optional.empty();
    }
    try {
      if (!kept.isOfThisBoot()) {
        new KeptName(kept.file(), kept.began()).write(serving);
      }
      LiveBloomFilter<K> filter = filters.openLive(folder.resolve(kept.file()));
      inUse = filter.filter().path();
      log.info(" serves from the filter that it kept, and rebuilds it");
      Duration age = Duration.between(kept.began(), Instant.now());
      return Optional.of(
          new Kept<>(new Member(filter, kept.began()), age.isNegative() ? Duration.ZERO : age));
    } catch (IOException | IllegalArgumentException e) {
      log.warning(" fills a new filter, since the one it kept cannot be used", e);
      return Optional.empty();
    }
  }

  @Override
  public FilledFilter<K> create(FilterBuilder<K> plan, boolean removable) throws IOException {
    checkIsMine();
    // First, because they may occupy the space that is needed.
    removeOthers();
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Path file = folder.resolve(FILES.replace("*", random));
    return new Member(plan.openOrCreate(file), Instant.now());
  }

  private void checkIsMine() throws IOException {
    if (!lock.isFound()) {
      throw new FileSystemException(
          folder.toString(),
          null,
          "must stay as it is while a guard has it open, but was removed, renamed or replaced; close"
              + " the guard and build it again");
    }
  }

  /**
   * Removes the files of filters that an earlier run did not finish, or replaced, and what it left
   * when it was killed.
   */
  private synchronized void removeOthers() {
    if (isClosed) {
      return; // they may be another guard's
    }
    lock.removeLeftovers();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.toRealPath(), FILES)) {
      for (Path file : files) {
        if (!file.equals(inUse)) {
          removeIfPossible(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Whoever makes the next one will say so.
    }
  }

  // Windows removes no mapped file: that waits for the next time.
  private static void removeIfPossible(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // As above.
    }
  }

  private void forsake() {
    try {
      if (lock.isFound()) { // or the name may be another guard's
        FileReplacement.remove(serving);
      }
      inUse = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void forsakeIfPossible() {
    try {
      forsake();
    } catch (UncheckedIOException e) {
      log.error(" could not remove " + serving + "; remove it before the next start", e);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    lock.close();
  }

  /** A filter in the folder. */
  private final class Member implements FilledFilter<K> {

    private final LiveBloomFilter<K> filter;
    private final Instant began;

    Member(LiveBloomFilter<K> filter, Instant began) {
      this.filter = filter;
      this.began = began;
    }

    @Override
    public BloomFilterView<K> view() {
      return filter;
    }

    @Override
    public FilterView hashes() {
      return filter.filter();
    }

    @Override
    public KeyHasher<? super K> hasher() {
      return filters.hasher();
    }

    @Override
    public FilterSpec spec() {
      return filter.spec();
    }

    @Override
    public boolean put(K key) {
      return filter.put(key);
    }

    @Override
    public void putAll(Iterable<? extends K> keys) {
      filter.putAll(keys);
    }

    @Override
    public void keep() {
      Path path = filter.filter().path();
      try {
        checkIsMine();
        new KeptName(String.valueOf(path.getFileName()), began).write(serving);
        inUse = path;
      } catch (IOException e) {
        forsakeIfPossible(); // which of the two it names is not known
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void forsake() {
      FilterFolder.this.forsake();
    }

    /** Removes the file before it is closed, so that it is not sealed: it may lack keys. */
    @Override
    public void discard() {
      removeIfPossible(filter.filter().path());
      try {
        filter.close();
      } catch (IOException e) {
        // It was removed.
      }
    }

    @Override
    public void close() {
      try {
        filter.close();
      } catch (IOException e) {
        log.warning(" could not close its filter, and fills a new one when it is started again", e);
        forsakeIfPossible();
      }
    }
  }
}
