package io.bloomery.conformance;

import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * The code that was tested, identified by checksum if it is in a jar.
 *
 * @param variant the variant of the provider
 * @param className the class of the provider
 * @param version the version in the manifest of the jar, if any
 * @param jarSha256 the SHA-256 of the jar in hexadecimal; empty if classes are not in a jar
 * @param capabilities the capabilities of the filters, as far as rules depend on them
 */
public record TestedCode(
    String variant,
    String className,
    Optional<String> version,
    Optional<String> jarSha256,
    Set<Capability> capabilities) {

  static TestedCode of(Class<?> code, String variant, Set<Capability> capabilities) {
    return new TestedCode(
        variant,
        code.getName(),
        Optional.ofNullable(code.getPackage().getImplementationVersion()),
        jar(code).map(TestedCode::sha256),
        capabilities);
  }

  /** Returns the code of the suite itself. */
  public static TestedCode ofSuite() {
    return of(TestedCode.class, "", Set.of());
  }

  /** Returns the capabilities of filters; queries the provider for some. */
  static Set<Capability> capabilities(FilterProvider provider) {
    Set<Capability> offered = EnumSet.complementOf(EnumSet.of(Capability.NONE));
    offered.removeIf(capability -> !isOffered(capability, provider));
    return Collections.unmodifiableSet(offered);
  }

  // A provider that cannot create a filter is rejected by the rules, not here.
  private static boolean isOffered(Capability capability, FilterProvider provider) {
    try {
      return capability.isOfferedBy(provider);
    } catch (RuntimeException e) {
      return false;
    }
  }

  // A provider without a name is rejected by the rules, not here.
  static String variant(FilterProvider provider) {
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
