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

/** Writes what came of a run: JSON for programs, and a page of Markdown for people. */
public final class Reports {

  private static final int MAX_NAME_LENGTH = 64;

  private Reports() {}

  /**
   * Writes both files of a provider into a directory, which is made if it is not there. They are
   * named after the provider's variant, and take the place of those of an earlier run. Whatever
   * happens, a file is written whole or not at all.
   *
   * <p>A variant whose name is not lower-case words joined by hyphens gets a file name of its own
   * that is, with an underscore and a part of the name's SHA-256 behind it.
   *
   * @return the files written: JSON, then Markdown
   */
  public static List<Path> write(Path directory, ConformanceReport report) throws IOException {
    JsonObject json = JsonReport.of(report);
    String name = fileName(report.variant());
    Files.createDirectories(directory);
    return List.of(
        replace(directory, name + ".json", JsonBytes.lines(json)),
        replace(directory, name + ".md", MarkdownReport.of(json).getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns a report as JSON, as {@link #write} puts it into a file. */
  public static String json(ConformanceReport report) {
    return new String(JsonBytes.lines(JsonReport.of(report)), StandardCharsets.UTF_8);
  }

  /**
   * Makes the page again from a file of JSON that {@link #write} has written.
   *
   * @throws IOException if it cannot be read, is no report, or its result has been changed
   */
  public static String markdown(Path json) throws IOException {
    return MarkdownReport.of(json);
  }

  /** Returns a campaign's report as JSON. */
  public static String json(HostileReport report) {
    return new String(JsonBytes.lines(HostileInputs.json(report)), StandardCharsets.UTF_8);
  }

  /** Returns a campaign's report as a page, to be read as plain text too. */
  public static String markdown(HostileReport report) {
    return HostileInputs.markdown(report);
  }

  /** Returns a name that is one on any file system; different variants have different ones. */
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
