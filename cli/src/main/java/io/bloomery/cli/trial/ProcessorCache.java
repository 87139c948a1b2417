package io.bloomery.cli.trial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The largest cache of the processor, which limits what measured times show. */
final class ProcessorCache {
  // decisions.md#compare-names-the-fastest-only-of-filters-four-times-as-large-as-the-processors-cache

  /** A size that few processors exceed, used if the system does not report one. */
  private static final long UNKNOWN = 256L << 20;

  private static final Path LINUX = Path.of("/sys/devices/system/cpu/cpu0/cache");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([KM])");

  private ProcessorCache() {}

  /** Returns its size in bytes, or a large one if it is unknown. */
  static long bytes() {
    return bytes(LINUX);
  }

  /** Reads a folder with the layout of Linux: {@code index0/size} and so on. */
  static long bytes(Path folder) {
    long largest = 0;
    try (DirectoryStream<Path> caches = Files.newDirectoryStream(folder, "index*")) {
      for (Path cache : caches) {
        String text = Files.readString(cache.resolve("size"), StandardCharsets.US_ASCII).strip();
        Matcher size = SIZE.matcher(text);
        if (size.matches()) {
          int shift = size.group(2).equals("K") ? 10 : 20;
          largest = Math.max(largest, Long.parseLong(size.group(1)) << shift);
        }
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
    return largest == 0 ? UNKNOWN : largest;
  }
}
