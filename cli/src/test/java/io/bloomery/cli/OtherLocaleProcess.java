package io.bloomery.cli;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.FilterUpdate;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignUpdate;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A JVM of its own, in another locale, that changes the files of a folder as it lists them. */
final class OtherLocaleProcess {

  static final String LOCKED = "locked";

  /** The prefixes of the names of links to the files. */
  static final String FILTER = "filter-";

  static final String FOREIGN = "foreign-";
  static final String WINDOW = "window-";
  static final String PICTURE = "picture-";

  private static final Filters<String> FILTERS = Bloomery.strings();
  private static final ForeignFormat GUAVA = ForeignFormat.named("guava");

  private OtherLocaleProcess() {}

  /**
   * Changes all files in the folders of a folder, by the names of the files and by those of links.
   */
  public static void main(String[] arguments) throws IOException {
    System.out.println(System.getProperty("sun.jnu.encoding"));
    for (Path file : list(Path.of(arguments[0]))) {
      if (Files.isDirectory(file)) {
        String kind = file.getFileName().toString();
        for (Path named : list(file)) {
          change(kind, named);
        }
      } else {
        command(file.getFileName().toString(), file);
      }
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.getFileName().toString().startsWith(".")).toList();
    }
  }

  private static void change(String kind, Path file) throws IOException {
    switch (kind) {
      case FILTER -> {
        try (FilterUpdate<BloomFilter<String>> update = FILTERS.update(file, Duration.ZERO)) {
          update.filter().put("updated");
          update.save();
        } catch (FilterLockedException e) {
          System.out.println(LOCKED);
          return;
        }
        FilterFiles.installed().merge(file, List.of(file));
        FILTERS.open(file).save(file);
      }
      case FOREIGN -> {
        try (ForeignUpdate update = GUAVA.update(file, Duration.ZERO)) {
          update.filter().put("updated", ItemEncoding.utf8());
          update.save();
        }
        GUAVA.read(file).write(file);
      }
      case WINDOW -> {
        SlidingBloomFilter<String> window = SlidingBloomFilter.open(FILTERS, file);
        window.put("updated");
        window.save(file);
      }
      default -> Files.readAllBytes(file);
    }
  }

  private static void command(String name, Path link) {
    if (name.startsWith(FILTER)) {
      run("added\n", "add", "-q", link);
      run("", "merge", "-q", "--force", "-o", link, link);
    } else if (name.startsWith(FOREIGN)) {
      run("added\n", "add", "-q", "--format", "guava", "--encoding", "utf-8", link);
    } else if (name.startsWith(PICTURE)) {
      run("", "plot", "--force", "--keys", 1000, "-o", link);
    }
  }

  private static void run(String input, Object... arguments) {
    Run.withInput(input, arguments).assertEnds(0);
  }
}
