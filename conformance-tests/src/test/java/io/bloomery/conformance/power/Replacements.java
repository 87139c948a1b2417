package io.bloomery.conformance.power;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** A file that is replaced again and again, in all ways of a kind of file. */
final class Replacements implements Workload {

  private static final int VERSIONS = 6;

  /** A way to replace a file, or to make it if it is not there. */
  interface Way {
    /** Makes the file have keys of which the last is given. */
    void replace(Path file, int keys) throws IOException;
  }

  /** A way to open a file. */
  interface Reader {
    Predicate<String> open(Path file) throws IOException;
  }

  private final Way first;
  private final Way again;
  private final List<Way> ways;
  private final List<Reader> readers;
  private final List<byte[]> contents = new ArrayList<>();

  /**
   * Makes a workload.
   *
   * @param first the way that makes the file
   * @param ways the ways that replace it, of which the first also makes it
   */
  Replacements(Way first, List<Way> ways, List<Reader> readers) {
    this.first = first;
    this.again = ways.get(0);
    this.ways = ways;
    this.readers = readers;
  }

  static String key(int number) {
    return "key " + number;
  }

  private static Path file(Path folder) {
    return folder.resolve("seen.bloom");
  }

  @Override
  public int keys(int version) {
    return 20 * (version + 1);
  }

  @Override
  public void run(Path folder, History history, Random random) throws IOException {
    for (int i = 0; i < VERSIONS; i++) {
      Way way = i == 0 ? first : ways.get(random.nextInt(ways.size()));
      history.begun(i);
      way.replace(file(folder), keys(i));
      history.done(i);
      contents.add(Files.readAllBytes(file(folder)));
    }
  }

  @Override
  public int lost(Path folder, int least, int most) throws IOException {
    Path file = file(folder);
    int lost = 0;
    if (Files.exists(file) || least > NONE) {
      for (Reader reader : readers) {
        lost += lost(reader.open(file), keys(least));
      }
      byte[] content = Files.readAllBytes(file);
      assertTrue(
          contents.subList(Math.max(least, 0), most + 1).stream()
              .anyMatch(version -> Arrays.equals(version, content)),
          "another content than those of the versions " + least + " to " + most + " is accepted");
    }
    again.replace(file, keys(0));
    for (Reader reader : readers) {
      lost += lost(reader.open(file), keys(0));
    }
    return lost;
  }

  /** Returns how many of the first keys a filter lacks. */
  static int lost(Predicate<String> filter, int keys) {
    int lost = 0;
    for (int i = 0; i < keys; i++) {
      lost += filter.test(key(i)) ? 0 : 1;
    }
    return lost;
  }
}
