package io.bloomery.cli.filter;

import io.bloomery.cli.session.Description;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.file.LiveState;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.window.GenerationStats;
import io.bloomery.window.SlidingFilter;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A saved window in its current state: keys that have become too old since it was saved are
 * forgotten, as in any other program that opens it.
 */
record SavedWindow(Path path, SlidingFilter window, long sizeInBytes, Optional<LiveState> live) {

  /**
   * Returns whether a file starts with the header of a window.
   *
   * @throws Failure if it cannot be read
   */
  static boolean isIn(Path path) throws Failure {
    try {
      return SlidingFilterFiles.isWindow(path);
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  /**
   * Opens the window in a file.
   *
   * @throws Failure if it cannot be read or is damaged
   */
  static SavedWindow open(Session session, Path path) throws Failure {
    try {
      SlidingFilter window =
          SlidingFilterFiles.open(path, session.bloomery().providers(), FilterLimits.HEAP);
      return new SavedWindow(path, window, Files.size(path), SlidingFilterFiles.live(path));
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  Description describe() {
    FilterSpec spec = window.spec();
    FilterStats stats = window.stats();
    Description about = new Description("file", path.toString());
    about.row("window", "%s", words());
    about.member("window", window.time().isPresent() ? "time" : "keys");
    window.time().ifPresent(time -> about.member("forSeconds", time.toNanos() / 1e9));
    about.fact("variant", "variant", "three filters of %s", window.variant());
    about.fact("hash", "hashId", spec.hashId());
    spec.attributes().forEach((name, value) -> about.row("attribute", "%s=%s", name, value));
    about.member("expectedKeys", spec.expectedKeys());
    about.fact("target rate", "targetRate", "%s", spec.falsePositiveRate());
    about.fact("estimated rate", "estimatedRate", "%.6g", stats.falsePositiveRate());
    InfoCommand.describeFill(about, stats);
    List<Map<String, Long>> generations = new ArrayList<>();
    for (GenerationStats generation : window.generations()) {
      about.row(
          List.of("youngest", "older", "oldest").get(generations.size()),
          "%,d keys, %,d of them new",
          generation.keys(),
          generation.newKeys());
      generations.add(
          new TreeMap<>(Map.of("keys", generation.keys(), "new", generation.newKeys())));
    }
    about.member("generations", generations);
    about.row("size", "%,d bytes in memory, %,d of file", window.sizeInBytes(), sizeInBytes);
    about.member("sizeInBytes", sizeInBytes);
    live.ifPresent(state -> about.fact("live file", "live", state.toString()));
    // A file whose checksums do not match cannot be opened.
    return about.fact("checksums", "checksums", "ok");
  }

  private String words() {
    long keys = window.spec().expectedKeys();
    return window
        .time()
        .map(
            time ->
                String.format(Locale.ROOT, "the last %s, for %,d keys in each", words(time), keys))
        .orElseGet(() -> String.format(Locale.ROOT, "the last %,d keys", keys));
  }

  /** Returns a duration in the form that options accept, apart from the spaces: {@code 1h 30m}. */
  private static String words(Duration time) {
    return time.toString()
        .substring("PT".length())
        .replaceAll("([HM])\\B", "$1 ")
        .toLowerCase(Locale.ROOT);
  }
}
