package io.bloomery.publishing;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A module that is published, as this build has made it.
 *
 * @param folder where its pom is
 * @param name its name as a module of Java
 */
record PublishedModule(Path folder, String name) {

  private static final Pattern NAME =
      Pattern.compile("(?m)^(?:open )?module ([\\w.]+)|<Automatic-Module-Name>(.*)</");

  /** Returns those whose classes others compile against; that of the command is not meant to be. */
  static List<PublishedModule> withApi() throws IOException {
    List<PublishedModule> modules = new ArrayList<>();
    for (String module : SourceTree.modules()) {
      Path folder = SourceTree.ROOT.resolve(module);
      String pom = SourceTree.pom(module);
      if (SourceTree.isPublished(pom)
          && !pom.contains("<packaging>pom</packaging>")
          && !folder.endsWith("cli")) {
        modules.add(new PublishedModule(folder, name(folder, pom)));
      }
    }
    return modules;
  }

  private static String name(Path folder, String pom) throws IOException {
    Path descriptor = folder.resolve("src/main/java/module-info.java");
    Matcher name = NAME.matcher(Files.exists(descriptor) ? Files.readString(descriptor) : pom);
    if (!name.find()) {
      throw new IOException(folder + " has neither a module-info.java nor an automatic name");
    }
    return name.group(1) == null ? name.group(2) : name.group(1);
  }

  /** Returns what it offers, read by a loader of its own: its libraries and others' disagree. */
  List<String> listing() throws IOException {
    Path classes = folder.resolve("target/classes");
    List<URL> path = new ArrayList<>(List.of(classes.toUri().toURL()));
    // Written by the build of that module.
    String others = Files.readString(folder.resolve("target/class-path.txt"));
    for (String entry : others.strip().split(Pattern.quote(File.pathSeparator), -1)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      return ApiListing.of(classes, name, loader).lines();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
