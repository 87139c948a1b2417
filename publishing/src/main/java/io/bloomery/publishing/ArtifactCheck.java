package io.bloomery.publishing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The checks of one artifact that a central repository performs before accepting it. */
final class ArtifactCheck {

  /** The problems found, one line each; empty if there are none. */
  record Findings(List<String> jars, List<String> signatures, List<String> sbom) {

    List<String> all() {
      List<String> all = new ArrayList<>(jars);
      all.addAll(signatures);
      all.addAll(sbom);
      return all;
    }
  }

  // Maven Central requires both; those of SHA-2 are additional.
  private static final Map<String, String> CHECKSUMS = Map.of("md5", "MD5", "sha1", "SHA-1");
  private static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");
  private static final List<String> LICENCES = List.of("META-INF/LICENSE", "META-INF/NOTICE");

  private final Artifact artifact;
  private final Signatures signatures;

  ArtifactCheck(Artifact artifact, Signatures signatures) {
    this.artifact = artifact;
    this.signatures = signatures;
  }

  Findings findings() throws IOException {
    Pom pom = Pom.read(artifact.file(".pom"));
    return new Findings(jars(pom), signed(), sbom(pom));
  }

  private List<String> jars(Pom pom) throws IOException {
    List<String> findings = new ArrayList<>(pom.findings());
    if (!Pom.isFinal(artifact.version())) {
      findings.add("the version is not final: " + artifact.version());
    }
    if (!pom.text("artifactId").equals(artifact.name())
        || !pom.text("version").equals(artifact.version())) {
      findings.add("the pom is of " + pom.text("artifactId") + " " + pom.text("version"));
    }
    if (pom.isLibrary()) {
      for (String end : JARS) {
        if (!Files.exists(artifact.file(end))) {
          findings.add("no " + artifact.file(end).getFileName());
        }
      }
    }
    for (Path file : artifact.built()) {
      if (file.toString().endsWith(".jar")) {
        findings.addAll(licences(file));
      }
      if (file.toString().endsWith("-tests.jar")) {
        findings.add(file.getFileName() + " is of tests");
      }
    }
    return findings;
  }

  private static List<String> licences(Path jar) throws IOException {
    List<String> findings = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (String name : LICENCES) {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null || zip.getInputStream(entry).read() < 0) {
          findings.add(jar.getFileName() + " has no " + name);
        }
      }
    }
    return findings;
  }

  private List<String> signed() throws IOException {
    List<String> findings = new ArrayList<>();
    for (Path file : artifact.built()) {
      for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
        Path stated = beside(file, checksum.getKey());
        if (!Files.exists(stated)) {
          findings.add("no " + stated.getFileName());
        } else if (!Files.readString(stated).strip().equals(sum(file, checksum.getValue()))) {
          findings.add(stated.getFileName() + " is not that of the file");
        }
      }
      Path signature = beside(file, "asc");
      if (!Files.exists(signature)) {
        findings.add("no " + signature.getFileName());
      } else {
        Optional<String> problem = signatures.problem(signature, file);
        problem.ifPresent(said -> findings.add(signature.getFileName() + ": " + said));
      }
    }
    return findings;
  }

  private List<String> sbom(Pom pom) throws IOException {
    List<String> findings = new ArrayList<>();
    for (String end : List.of("-cyclonedx.json", "-cyclonedx.xml")) {
      Path file = artifact.file(end);
      if (!Files.exists(file)) {
        findings.add("no " + file.getFileName());
        continue;
      }
      String text = Files.readString(file, StandardCharsets.UTF_8);
      if (!text.contains(purl(pom.text("groupId"), artifact.name(), artifact.version()))) {
        findings.add(file.getFileName() + " is of something else");
      }
      for (Pom.Dependency dependency : pom.dependencies()) {
        String purl = purl(dependency.group(), dependency.name(), dependency.version());
        if (dependency.isGiven() && !text.contains(purl)) {
          findings.add(file.getFileName() + " does not list " + dependency);
        }
      }
    }
    return findings;
  }

  private static String purl(String group, String name, String version) {
    return String.format(Locale.ROOT, "pkg:maven/%s/%s@%s", group, name, version);
  }

  private static Path beside(Path file, String end) {
    return file.resolveSibling(file.getFileName() + "." + end);
  }

  static String sum(Path file, String algorithm) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
