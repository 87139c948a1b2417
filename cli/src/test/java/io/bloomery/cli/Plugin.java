package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A plug-in as a third party would provide it, compiled here so that it is not on the class path.
 */
public final class Plugin {

  private Plugin() {}

  /** Writes the file that names providers. */
  public static Path writeService(Path folder, String providers) throws IOException {
    Path file = folder.resolve("META-INF/services/" + FilterProvider.class.getName());
    Files.createDirectories(file.getParent());
    return Files.writeString(file, providers);
  }

  /** Compiles a class of the package {@code acme} into a folder, in addition to its content. */
  public static Path compile(Path folder, String name, String declaration) throws IOException {
    Path sources = Files.createTempDirectory(folder.toAbsolutePath().getParent(), "sources");
    Path source = sources.resolve(name + ".java");
    return compile(folder, Files.writeString(source, "package acme; public " + declaration));
  }

  /** Compiles the example plug-in and names its providers. */
  public static Path compileExample(Path folder) throws IOException {
    Path example = Path.of("..", "examples", "plugin", "src", "main");
    Path sources = example.resolve("java/com/example/acme");
    Path services = example.resolve("resources/META-INF/services");
    writeService(folder, Files.readString(services.resolve(FilterProvider.class.getName())));
    try (Stream<Path> files = Files.list(sources)) {
      return compile(folder, files.toArray(Path[]::new));
    }
  }

  private static Path compile(Path folder, Path... sources) throws IOException {
    Files.createDirectories(folder);
    String path = folder + ":" + System.getProperty("java.class.path");
    List<String> arguments = new ArrayList<>(List.of("-d", folder.toString(), "-cp", path));
    for (Path source : sources) {
      arguments.add(source.toString());
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new)));
    return folder;
  }

  /** Packs a folder of classes. */
  public static Path jar(Path folder, Path jar) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      for (Path file : files) {
        entries.putNextEntry(new JarEntry(folder.relativize(file).toString()));
        Files.copy(file, entries);
      }
    }
    return jar;
  }
}
