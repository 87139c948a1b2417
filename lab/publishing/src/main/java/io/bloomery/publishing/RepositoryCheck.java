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
   * @param sbom the problems of the SBOMs
   * @param different the files that differ in the second build
   */
  record Row(Artifact artifact, List<String> sbom, List<String> different) {}

  private final Path repository;
  private final Path again;

  RepositoryCheck(Path repository, Path again) {
    this.repository = repository;
    this.again = again;
  }

  List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (Artifact artifact : Artifact.in(repository)) {
      rows.add(new Row(artifact, SbomCheck.findings(artifact), different(artifact)));
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
}
