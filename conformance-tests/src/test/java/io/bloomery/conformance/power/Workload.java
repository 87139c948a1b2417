package io.bloomery.conformance.power;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/** What changes files in versions, each of which must be there once it is done. */
interface Workload {

  /** A version that is begun with the first, and done if nothing has to be there. */
  int NONE = -1;

  /** Changes files in an empty folder, and tells the history when a version is begun and done. */
  void run(Path folder, History history, Random random) throws IOException;

  /** Returns the work that goes on from a version, if it can after a loss of power. */
  default Optional<Workload> from(int least, int most) {
    return Optional.empty();
  }

  /** Returns how many keys a version has. */
  int keys(int version);

  /**
   * Checks the folder after a loss of power, and that the work goes on from there.
   *
   * @param least the last version that was done, or {@link #NONE}
   * @param most the last version that was begun
   * @return how many keys of {@code least} are absent, although no file says that it is damaged
   * @throws IOException if a file is damaged or missing that must not be
   * @throws AssertionError if anything else is there than a version from {@code least} to {@code
   *     most}
   */
  int lost(Path folder, int least, int most) throws IOException;
}
