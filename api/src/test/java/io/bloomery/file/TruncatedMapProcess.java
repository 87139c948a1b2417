package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A JVM of its own that asks a mapped filter, compiled, whose file is truncated meanwhile. */
final class TruncatedMapProcess {

  private static final int BATCH = 1_000;
  private static final int WARM_UP = 3_000;

  private TruncatedMapProcess() {}

  /** Saves a filter, maps and truncates it, and prints what it answers then. */
  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments[0]);
    FilterProvider provider = new MappingProvider();
    Filter filter = provider.create(FilterSpec.of(2_000_000, 0.01), ThreadMode.CONFINED);
    long[] hashes = new SplittableRandom(1).longs(BATCH).toArray();
    for (long hash : hashes) {
      filter.put(hash);
    }
    FilterFiles.save(filter, path);
    byte[] whole = Files.readAllBytes(path);
    try (MappedFilter mapped = Bloomery.with(provider).files().map(path)) {
      int[] hits = new int[BATCH];
      for (int i = 0; i < WARM_UP; i++) {
        mapped.select(hashes, 0, BATCH, hits);
      }
      mapped.stats();
      mapped.verify();
      truncate(path);
      for (int i = 0; i < 3; i++) {
        say("select", () -> mapped.select(hashes, 0, BATCH, hits));
        say("stats", mapped::stats);
        say("verify", mapped::verify);
      }
    }
    askMisled(path, whole);
    System.out.println("end");
  }

  private static void askMisled(Path path, byte[] whole) throws IOException {
    Misled misled = new Misled();
    FilterFiles files = Bloomery.with(misled).files();
    try (MappedFilter mapped = files.map(write(path, whole))) {
      Map<String, Callable<Object>> questions = new LinkedHashMap<>();
      questions.put("query", () -> mapped.mightContain(1));
      questions.put("select", () -> mapped.select(new long[1], 0, 1, new int[1]));
      questions.put("stats", mapped::stats);
      for (int i = 0; i < WARM_UP; i++) {
        questions.values().forEach(TruncatedMapProcess::answer);
      }
      truncate(path);
      for (int i = 0; i < 3; i++) {
        questions.forEach(TruncatedMapProcess::say);
      }
    }
    write(path, whole);
    misled.truncated = path;
    say("map", () -> files.map(path));
    write(path, whole);
    say("verify file", () -> files.verify(path));
  }

  private static Path write(Path path, byte[] bytes) throws IOException {
    Files.deleteIfExists(path);
    return Files.write(path, bytes);
  }

  private static void truncate(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(4096);
    }
  }

  private static void say(String what, Callable<Object> question) {
    System.out.println(what + " " + answer(question));
  }

  private static String answer(Callable<Object> question) {
    try {
      return "answers " + question.call();
    } catch (Exception e) {
      return String.valueOf(e.getMessage()).replaceAll(".*must", "must");
    }
  }

  /**
   * Reads the last word of its table and then fails, as compiled code does that takes garbage for
   * an index: with an exception that was made before.
   */
  // What is read must be written somewhere, and what is thrown was made before.
  @SuppressWarnings({
    "StaticAssignmentOfThrowable",
    "TypeParameterUnusedInFormals",
    "UnusedVariable"
  })
  private static final class Misled extends PlainProvider {

    private static final RuntimeException WRONG = new IndexOutOfBoundsException("garbage");

    private static long last; // so that the word is read

    private @Nullable Path truncated;

    private static <T> T failure(MappedTable table) {
      last = table.word(table.sizeInBits() / Long.SIZE - 1);
      throw WRONG;
    }

    /** Asked for by a check, which then reads the bits after these. */
    @Override
    protected long usableBits(TableLayout layout) {
      if (truncated != null) {
        try {
          truncate(truncated);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return layout.bits() - Long.SIZE;
    }

    @Override
    protected FilterView view(FilterSpec spec, TableLayout layout, PayloadInput in)
        throws IOException {
      MappedTable table = MappedTable.map(layout, in);
      if (truncated != null) {
        truncate(truncated);
        return failure(table);
      }
      return new FilterView() {
        @Override
        public boolean mightContain(long hash) {
          return failure(table);
        }

        @Override
        public int select(long[] hashes, int from, int to, int[] hits) {
          return failure(table);
        }

        @Override
        public FilterStats stats() {
          return failure(table);
        }
      };
    }
  }
}
