package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A published artifact: a folder of a Maven repository with the files of one version. */
record Artifact(String name, String version, Path folder) {

  /** Returns the artifacts of a repository, by name. */
  static List<Artifact> in(Path repository) throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      return files
          .filter(file -> file.toString().endsWith(".pom"))
          .sorted()
          .map(repository::relativize)
          .map(
              pom -> {
                int depth = pom.getNameCount();
                return new Artifact(
                    pom.getName(depth - 3).toString(),
                    pom.getName(depth - 2).toString(),
                    repository.resolve(pom.subpath(0, depth - 1)));
              })
          .toList();
    }
  }

  /** Returns a file of this artifact, which need not exist: {@code -sources.jar} or the like. */
  Path file(String end) {
    return folder.resolve(name + "-" + version + end);
  }
}
