package io.bloomery.conformance;

import io.bloomery.FilterProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What was tested: which code, to the byte where it comes from a jar.
 *
 * @param variant the provider's variant
 * @param className the provider's class
 * @param version the version that the jar's manifest names, if any
 * @param jarSha256 the SHA-256 of the jar in hexadecimal; empty where classes come from elsewhere
 */
public record Origin(
    String variant, String className, Optional<String> version, Optional<String> jarSha256) {

  static Origin of(FilterProvider provider) {
    Class<?> code = provider.getClass();
    return new Origin(
        variant(provider),
        code.getName(),
        Optional.ofNullable(code.getPackage().getImplementationVersion()),
        jar(code).map(Origin::sha256));
  }

  /** Returns the suite itself. */
  public static Origin ofSuite() {
    Class<?> code = Origin.class;
    return new Origin(
        "",
        code.getPackageName(),
        Optional.ofNullable(code.getPackage().getImplementationVersion()),
        jar(code).map(Origin::sha256));
  }

  // A provider without a name is for the rules to refuse.
  private static String variant(FilterProvider provider) {
    try {
      return String.valueOf(provider.variant());
    } catch (RuntimeException e) {
      return provider.getClass().getSimpleName();
    }
  }

  private static Optional<Path> jar(Class<?> code) {
    CodeSource source = code.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(source.getLocation().toURI())).filter(Files::isRegularFile);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String sha256(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (IOException e) {
      return "unreadable: " + e.getMessage();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
