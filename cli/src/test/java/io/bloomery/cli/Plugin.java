package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** Compiles a provider that is a {@link SetVariant} with more members. */
  public static Path compileSet(Path folder, String name, String members) throws IOException {
    copySet(folder, "acme." + name);
    return compile(
        folder, name, "class " + name + " extends io.bloomery.cli.SetVariant { " + members + " }");
  }

  /** Compiles a provider that creates no filter. */
  public static Path compileLazy(Path folder) throws IOException {
    return compileSet(
        folder,
        "Lazy",
        """
        public io.bloomery.filter.Filter create(
            io.bloomery.filter.FilterSpec spec, io.bloomery.filter.ThreadMode mode,
            io.bloomery.filter.FilterLimits limits) {
          throw new IllegalStateException("not today");
        }
        """);
  }

  /** Packs {@link SetVariant}. */
  static void jarOfSet(Path jar) throws IOException {
    try (FileSystem inside = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
      copySet(inside.getPath("/"), SetVariant.class.getName());
    }
  }

  private static void copySet(Path folder, String provider) throws IOException {
    writeService(folder, provider);
    Path classes = Files.createDirectories(folder.resolve("io/bloomery/cli"));
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("target/test-classes/io/bloomery/cli"), "SetVariant*")) {
      for (Path file : files) {
        Files.copy(
            file,
            classes.resolve(file.getFileName().toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
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
