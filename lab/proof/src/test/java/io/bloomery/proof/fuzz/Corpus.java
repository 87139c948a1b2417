package io.bloomery.proof.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterOutputStream;

/**
 * The kept inputs of a target, of at most 2,900 bytes: those that showed a fault, written by hand
 * to the beginning, and the last that a fuzzer found to take a path of their own. A line is one,
 * deflated, in Base64.
 */
final class Corpus {

  private static final Path FOLDER = Path.of("src/test/resources/io/bloomery/proof/fuzz");
  private static final int MOST_BYTES = 2_900;
  private static final int LONGEST = 2_000;

  private Corpus() {}

  private static Path file(Class<?> target) {
    return FOLDER.resolve(target.getSimpleName() + ".txt");
  }

  private static List<String> lines(Class<?> target) throws IOException {
    Path file = file(target);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** Returns the inputs of a target. */
  static List<byte[]> of(Class<?> target) throws IOException {
    List<byte[]> inputs = new ArrayList<>();
    for (String line : lines(target)) {
      ByteArrayOutputStream input = new ByteArrayOutputStream();
      try (InflaterOutputStream out = new InflaterOutputStream(input)) {
        out.write(Base64.getDecoder().decode(line));
      }
      inputs.add(input.toByteArray());
    }
    return inputs;
  }

  /** Adds files to the inputs of a target, the newest first, as long as there is room. */
  static void keep(Class<?> target, Path corpus) throws IOException {
    Set<String> kept = new LinkedHashSet<>(lines(target));
    try (Stream<Path> files = Files.list(corpus)) {
      for (Path file : files.sorted(Comparator.comparing(Corpus::time).reversed()).toList()) {
        String line = line(Files.readAllBytes(file));
        int bytes = kept.stream().mapToInt(other -> other.length() + 1).sum();
        if (line.length() <= LONGEST && bytes + line.length() + 1 <= MOST_BYTES) {
          kept.add(line);
        }
      }
    }
    Files.write(file(target), kept, StandardCharsets.US_ASCII);
  }

  private static String line(byte[] input) throws IOException {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(deflated)) {
      out.write(input);
    }
    return Base64.getEncoder().encodeToString(deflated.toByteArray());
  }

  private static long time(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
