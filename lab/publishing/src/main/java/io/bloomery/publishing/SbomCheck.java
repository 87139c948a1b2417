package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The check that both SBOMs of an artifact name it and each dependency that its users get. */
final class SbomCheck {

  private SbomCheck() {}

  /** Returns the problems found, one line each. */
  static List<String> findings(Artifact artifact) throws IOException {
    Pom pom = Pom.read(artifact.file(".pom"));
    List<String> findings = new ArrayList<>();
    for (String end : List.of("-cyclonedx.json", "-cyclonedx.xml")) {
      Path file = artifact.file(end);
      if (!Files.exists(file)) {
        findings.add("no " + file.getFileName());
        continue;
      }
      String text = Files.readString(file);
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
}
