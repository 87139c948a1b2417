package io.bloomery.conformance.report;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.hostile.HostileReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Writes reports of runs: JSON with all that was found, and JUnit XML for build servers. */
public final class Reports {

  private static final int MAX_NAME_LENGTH = 64;

  private Reports() {}

  /**
   * Writes both files of a provider into a directory, which is created if absent. They are named
   * after the variant of the provider and replace those of an earlier run. After any failure, each
   * file is either complete or absent.
   *
   * <p>If the name of the variant is not lower-case words joined by hyphens, the file name is a
   * unique one that is, with an underscore and a part of the SHA-256 of the name appended.
   *
   * @return the files written: JSON, then XML
   */
  public static List<Path> write(Path directory, ConformanceReport report) throws IOException {
    JsonObject json = JsonReport.of(report);
    String name = fileName(report.variant());
    Files.createDirectories(directory);
    return List.of(
        replace(directory, name + ".json", JsonBytes.lines(json)),
        replace(directory, name + ".xml", JUnitReport.of(report)));
  }

  /** Returns a report as JSON, as written by {@link #write}. */
  public static String json(ConformanceReport report) {
    return new String(JsonBytes.lines(JsonReport.of(report)), StandardCharsets.UTF_8);
  }

  /** Returns the report of a campaign as JSON. */
  public static String json(HostileReport report) {
    return new String(JsonBytes.lines(HostileInputs.json(report)), StandardCharsets.UTF_8);
  }

  /** Returns a name that is valid on every file system and unique for the variant. */
  private static String fileName(String variant) {
    if (variant.length() <= MAX_NAME_LENGTH && variant.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
      return variant;
    }
    String words = variant.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String start = words.substring(0, Math.min(words.length(), MAX_NAME_LENGTH));
    String hash = JsonBytes.sha256(variant.getBytes(StandardCharsets.UTF_8)).substring(0, 16);
    return start.replaceAll("^-|-$", "") + "_" + hash;
  }

  private static Path replace(Path directory, String name, byte[] bytes) throws IOException {
    Path target = directory.resolve(name);
    Path unfinished = directory.resolve("." + name + "." + UUID.randomUUID() + ".tmp");
    try {
      Files.write(unfinished, bytes, StandardOpenOption.CREATE_NEW);
      return Files.move(
          unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException | Error e) {
      try {
        Files.deleteIfExists(unfinished);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }
}
