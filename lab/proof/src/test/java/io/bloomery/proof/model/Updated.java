package io.bloomery.proof.model;

import io.bloomery.FilterBuilder;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/** A file that threads read and update, at times by one update that all of them share. */
@Param(name = "key", gen = IntGen.class, conf = "0:" + (Hashes.SIZE - 1))
public class Updated {

  private static final Duration PATIENCE = Duration.ofHours(1);
  private static final FilterFiles FILES = FilterFiles.installed();
  private static final long[] HASHES = Hashes.distinct(Updated::empty);

  private final Path file;
  private final FilterUpdate<Filter> shared;

  public Updated() throws IOException {
    Path folder = Files.createTempDirectory("updated");
    file = folder.resolve("of-one-each");
    FilterFiles.save(empty(), file);
    Path other = folder.resolve("of-all");
    FilterFiles.save(empty(), other);
    shared = FILES.update(other, PATIENCE, OpenOptions.shared());
  }

  private static Filter empty() {
    return FilterProviders.installed()
        .get(FilterBuilder.DEFAULT_VARIANT)
        .create(FilterSpec.of(Hashes.SIZE, 0.01), ThreadMode.SHARED);
  }

  @Operation
  public boolean put(@Param(name = "key") int key) throws IOException {
    try (FilterUpdate<Filter> update = FILES.update(file, PATIENCE, OpenOptions.shared())) {
      boolean isNew = update.filter().put(HASHES[key]);
      update.save();
      return isNew;
    }
  }

  @Operation
  public boolean mightContain(@Param(name = "key") int key) throws IOException {
    return FILES.open(file).mightContain(HASHES[key]);
  }

  @Operation
  public void save() throws IOException {
    shared.save();
  }

  @Operation
  public void close() throws IOException {
    shared.close();
  }

  /** Removes the files of a run that has ended. */
  @Validate
  public void remove() throws IOException {
    shared.close();
    Path folder = file.getParent();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path left : files.toList()) {
        Files.delete(left);
      }
    }
    Files.delete(folder);
  }

  /** An exact set, and an update that is saved once before it is closed. */
  public static final class Model {
    private final Set<Integer> keys = new HashSet<>();
    private boolean isOver;

    public boolean put(int key) {
      return keys.add(key);
    }

    public boolean mightContain(int key) {
      return keys.contains(key);
    }

    public void save() {
      if (isOver) {
        throw new IllegalStateException();
      }
      isOver = true;
    }

    public void close() {
      isOver = true;
    }
  }
}
