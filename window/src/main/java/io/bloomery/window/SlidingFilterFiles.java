package io.bloomery.window;

import io.bloomery.file.DamagedRegion;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LivePart;
import io.bloomery.file.LiveState;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LiveControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Operations on files of windows with keys of any type, for tools; {@link SlidingBloomFilter#open}
 * opens windows of a type of keys.
 */
public final class SlidingFilterFiles {

  private SlidingFilterFiles() {}

  /**
   * Returns whether a file is a regular file and begins as that of a window does, saved or live.
   *
   * @throws IOException if the file cannot be read
   */
  public static boolean isWindow(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    if (LiveLayout.isOf(path)) {
      return true;
    }
    try (FileInput in = FileInput.of(path)) {
      return SlidingHeader.begins(in.readNBytes(SlidingHeader.MAGIC.length()));
    }
  }

  /**
   * Opens a saved window, with the clocks of the system.
   *
   * @param limits the limits of each of its three filters
   * @throws FilterFormatException if the file is not a window, or is damaged
   * @throws UnexpectedFilterException if its filters are larger than the limits allow, or their
   *     variant is not installed, grows or counts
   * @throws IOException if the file cannot be read
   */
  public static SlidingFilter open(Path path, FilterProviders providers, FilterLimits limits)
      throws IOException {
    return SlidingFile.open(path, reader(providers, limits), WindowClock.SYSTEM);
  }

  /**
   * Returns the state of a live window; empty if the file is another.
   *
   * @throws FilterFormatException if it is a live window, but corrupt
   * @throws IOException if the file cannot be read
   */
  public static Optional<LiveState> live(Path path) throws IOException {
    if (!LiveLayout.isOf(path)) {
      return Optional.empty();
    }
    LiveControl.State state = LiveLayout.read(path).control().state();
    return Optional.of(
        new LiveState(state.isOpen(), Instant.ofEpochMilli(state.since()), state.process()));
  }

  /**
   * Seals a live window whose writer ended without closing it.
   *
   * @throws io.bloomery.file.FilterLockedException if its writer has not ended
   * @throws IOException as for {@link SlidingBloomFilter#openLive}
   */
  public static void seal(Path path, FilterProviders providers) throws IOException {
    openLive(path, Duration.ZERO, providers, (spec, time) -> {}).close();
  }

  /** What a live window must satisfy to be opened. */
  public interface LiveCheck {

    /**
     * Checks a window.
     *
     * @param time for which keys are remembered, or nothing if keys are counted
     * @throws IOException if the window must not be opened
     */
    void check(FilterSpec spec, Optional<Duration> time) throws IOException;
  }

  /**
   * Opens a live window with the clocks of the system, whatever its keys are.
   *
   * @param patience the maximum time to wait for the lock of the file; zero not to wait
   * @param check rejects a window before its file is changed
   * @throws IOException as for {@link SlidingBloomFilter#openLive}
   */
  public static LiveSlidingFilter openLive(
      Path path, Duration patience, FilterProviders providers, LiveCheck check) throws IOException {
    return LiveWindow.open(path, patience, mapper(providers), check(check), WindowClock.SYSTEM);
  }

  /**
   * Opens a live window, or makes an empty one if there is no file, as several processes may at the
   * same time.
   *
   * @param variant that of its filters
   * @param spec that of the window, with the hash id and the attributes of its keys
   * @param time for which keys are remembered, or nothing to count keys
   * @throws IllegalArgumentException if no such window is possible
   * @throws UnexpectedFilterException if the file was made for another variant, number of keys,
   *     rate or time
   * @throws IOException as for {@link #openLive}, or if the file cannot be made
   */
  public static LiveSlidingFilter openOrCreateLive(
      Path path,
      Duration patience,
      FilterProviders providers,
      String variant,
      FilterSpec spec,
      Optional<Duration> time,
      LiveCheck check)
      throws IOException {
    Extent extent = new Extent(spec.expectedKeys(), time.map(Extent::nanos).orElse(Extent.BY_KEYS));
    double rate = extent.rateOfGeneration(spec.falsePositiveRate());
    FilterSpec generation =
        FilterSpec.of(extent.keysOfGeneration(rate), rate, spec.hashId())
            .withAttributes(spec.attributes());
    return new NewLiveWindow(
            LivePart.header(providers.get(variant), generation, FilterLimits.HEAP), spec, extent)
        .openOrCreate(path, patience, mapper(providers), check(check), WindowClock.SYSTEM);
  }

  private static LiveWindow.Mapper mapper(FilterProviders providers) {
    FilterFiles files = new FilterFiles(providers);
    return (file, channel, from, length, wasOpen) ->
        files.mapPart(file, channel, from, length, wasOpen, OpenOptions.confined());
  }

  private static LiveWindow.Check check(LiveCheck check) {
    return (variant, spec, extent) -> check.check(spec, extent.time());
  }

  private static SlidingFile.Reader reader(FilterProviders providers, FilterLimits limits) {
    FilterFiles files = new FilterFiles(providers);
    OpenOptions options = OpenOptions.shared().within(limits);
    return (in, length) -> length < 0 ? files.read(in, options) : files.read(in, length, options);
  }

  /**
   * Verifies the file of a window: its checksums, and all conditions of {@link #open}, which
   * succeeds if there is no damage. Needs the memory of two of its three filters.
   *
   * @return the damaged regions in ascending order, each from its first damaged byte to the end of
   *     its filter; none if the file is undamaged
   * @throws FilterFormatException if the file does not begin as a window
   * @throws UnexpectedFilterException if the variant of its filters is not installed, grows or
   *     counts
   * @throws IOException if the file cannot be read
   */
  public static List<DamagedRegion> verify(Path path, FilterProviders providers)
      throws IOException {
    return SlidingFile.verify(path, reader(providers, FilterLimits.HEAP));
  }
}
