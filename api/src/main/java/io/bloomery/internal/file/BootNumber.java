package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A number of the run of the operating system: what a process wrote to a mapped file in the same
 * run is there, even if it was killed, since the system has not ended.
 */
public final class BootNumber {
  // decisions.md#after-a-loss-of-power-a-live-window-counts-only-what-was-forced

  /** The number of a run that is not known. */
  public static final long UNKNOWN = 0;

  private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

  private BootNumber() {}

  /** Returns the number of this run, or {@link #UNKNOWN}. */
  public static long current() {
    try {
      UUID id = UUID.fromString(Files.readString(LINUX).strip());
      return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
    } catch (IOException | IllegalArgumentException e) {
      return UNKNOWN; // another system
    }
  }
}
