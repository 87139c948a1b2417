package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A published artifact: a folder of a Maven repository with the files of one version. */
record Artifact(String name, String version, Path folder) {

  /** Returns the artifacts of a repository, by name. */
  static List<Artifact> in(Path repository) throws IOException {
    List<Artifact> artifacts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(repository)) {
      for (Path pom : files.filter(file -> file.toString().endsWith(".pom")).sorted().toList()) {
        Path inside = repository.relativize(pom);
        int depth = inside.getNameCount();
        artifacts.add(
            new Artifact(
                inside.getName(depth - 3).toString(),
                inside.getName(depth - 2).toString(),
                pom.resolveSibling("")));
      }
    }
    return artifacts;
  }

  /** Returns a file of this artifact, which need not exist: {@code -sources.jar} or the like. */
  Path file(String end) {
    return folder.resolve(name + "-" + version + end);
  }

  /** Returns the files that were built: all except checksums and signatures. */
  List<Path> built() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !file.getFileName().toString().matches(".*\\.(asc|md5|sha\\d+)"))
          .sorted()
          .toList();
    }
  }
}
