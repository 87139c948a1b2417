package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The check of a folder that is a Maven repository, and of a second one built from another copy of
 * the same sources.
 */
final class RepositoryCheck {

  /**
   * The results for one artifact.
   *
   * @param findings the problems of the artifact itself
   * @param different the files that differ in the second build
   */
  record Row(Artifact artifact, ArtifactCheck.Findings findings, List<String> different) {}

  private final Path repository;
  private final Path again;
  private final Signatures signatures;

  RepositoryCheck(Path repository, Path again, Signatures signatures) {
    this.repository = repository;
    this.again = again;
    this.signatures = signatures;
  }

  List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (Artifact artifact : Artifact.in(repository)) {
      rows.add(
          new Row(
              artifact, new ArtifactCheck(artifact, signatures).findings(), different(artifact)));
    }
    return rows;
  }

  private List<String> different(Artifact artifact) throws IOException {
    Artifact other =
        new Artifact(
            artifact.name(),
            artifact.version(),
            again.resolve(repository.relativize(artifact.folder())));
    Map<String, Path> first = byName(artifact);
    Map<String, Path> second = Files.exists(other.folder()) ? byName(other) : Map.of();
    Set<String> names = new TreeSet<>(first.keySet());
    names.addAll(second.keySet());
    List<String> different = new ArrayList<>();
    for (String name : names) {
      Path one = first.get(name);
      Path two = second.get(name);
      if (one == null || two == null) {
        different.add(name + " is in one build only");
      } else if (Files.mismatch(one, two) >= 0) {
        different.add(name + " differs at byte " + Files.mismatch(one, two));
      }
    }
    return different;
  }

  private static Map<String, Path> byName(Artifact artifact) throws IOException {
    return artifact.built().stream()
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString(), file -> file, (a, b) -> a, TreeMap::new));
  }

  /**
   * Returns the problems of the artifacts as a whole: none, several versions, an incomplete BOM.
   */
  List<String> together() throws IOException {
    List<Artifact> artifacts = Artifact.in(repository);
    List<String> findings = new ArrayList<>();
    if (artifacts.isEmpty()) {
      findings.add("nothing is published in " + repository);
    }
    Set<String> versions =
        artifacts.stream().map(Artifact::version).collect(Collectors.toCollection(TreeSet::new));
    if (versions.size() > 1) {
      findings.add("several versions are published: " + versions);
    }
    Set<String> names =
        artifacts.stream().map(Artifact::name).collect(Collectors.toCollection(TreeSet::new));
    for (Artifact artifact : artifacts) {
      Pom pom = Pom.read(artifact.file(".pom"));
      List<Pom.Dependency> named = new ArrayList<>(pom.dependencies());
      named.addAll(pom.managed());
      for (Pom.Dependency dependency : named) {
        boolean ours = dependency.group().equals(pom.text("groupId"));
        if (ours
            && !(names.contains(dependency.name()) && versions.contains(dependency.version()))) {
          findings.add(artifact.name() + " needs " + dependency + ", which is not published");
        }
      }
    }
    return findings;
  }
}
