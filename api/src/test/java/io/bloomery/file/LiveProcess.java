package io.bloomery.file;

import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.fixture.MappingProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A JVM of its own that opens a live file, puts keys and says which were new. */
final class LiveProcess {

  static final Duration PATIENCE = Duration.ofMinutes(5);

  static final FilterSpec SPEC = FilterSpec.of(20_000, 0.01, "test/live");

  private LiveProcess() {}

  /**
   * Puts keys from the first one on, and prints each that was new once it is put. If it is to close
   * the file, it does so behind the last; otherwise it goes on until it is killed or nobody is left
   * who reads what it prints.
   *
   * <p>Arguments: the file, the first key, how many, and whether to close it.
   */
  public static void main(String[] arguments) throws IOException {
    int first = Integer.parseInt(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    LiveFilter filter = open(Path.of(arguments[0]), PATIENCE);
    for (int key = first; key < first + count && !System.out.checkError(); key++) {
      if (filter.put(UpdatingProcess.hash(key))) {
        System.out.println(key);
      }
    }
    if (Boolean.parseBoolean(arguments[3])) {
      filter.close();
    }
  }

  static LiveFilter open(Path path, Duration patience) throws IOException {
    return open(path, patience, MappedFile.SEGMENT);
  }

  static LiveFilter open(Path path, Duration patience, int segment) throws IOException {
    MappingProvider provider = new MappingProvider();
    Opening opening = new Opening(FilterProviders.of(provider), OpenOptions.shared());
    return LiveFilter.openOrCreate(path, patience, opening, provider, SPEC, segment);
  }
}
