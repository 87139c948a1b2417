package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.plugin.ForeignProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterProvidersTest {

  @Test
  void twoProvidersOfOneVariantAreRefusedByName() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Bloomery.with(new PlainProvider(), new PlainProvider()))
            .getMessage();
    assertTrue(message.contains("'plain' has io.bloomery.fixture.PlainProvider and"), message);
  }

  @Test
  void aVariantWithoutAProperNameIsRefused() {
    for (String name : List.of("", "two words", "x".repeat(65))) {
      assertThrows(
          IllegalArgumentException.class, () -> Bloomery.with(new PlainProvider(name)), name);
    }
  }

  private static String unknown(String variant, String... installed) {
    Bloomery bloomery =
        Bloomery.with(
            List.of(installed).stream().map(PlainProvider::new).toArray(FilterProvider[]::new));
    return assertThrows(IllegalArgumentException.class, () -> bloomery.providers().get(variant))
        .getMessage();
  }

  @Test
  void anUnknownVariantIsAnsweredWithTheNearest() {
    assertEquals(
        "no provider for variant 'standrad'; installed: counting, standard;"
            + " did you mean 'standard'?",
        unknown("standrad", "standard", "counting"));
    assertEquals(
        "no provider for variant 'cuckoo'; installed: standard", unknown("cuckoo", "standard"));
  }

  @Test
  void aVariantOfOursThatIsMissingIsAnsweredWithItsArtifact() throws IOException {
    Properties places = new Properties();
    try (InputStream in = FilterProvider.class.getResourceAsStream("variants.properties")) {
      places.load(in);
    }
    assertFalse(places.isEmpty());
    for (String variant : places.stringPropertyNames()) {
      String artifact = places.getProperty(variant).split(" ", 2)[0];
      assertEquals(
          "no provider for variant '"
              + variant
              + "'; installed: none; add io.bloomery:"
              + artifact
              + " to the class path",
          unknown(variant));
    }
  }

  @Test
  void aNameThatAVariantHadIsAnsweredWithItsNewOne() {
    assertEquals(
        "no provider for variant 'split-block'; installed: standard; it is named 'blocked' now:"
            + " use that name, and make its files anew",
        unknown("split-block", "standard"));
  }

  private static String notInstalled(String variant) {
    Bloomery bloomery = Bloomery.installed();
    return assertThrows(IllegalArgumentException.class, () -> bloomery.providers().get(variant))
        .getMessage();
  }

  /** Calls with a folder as the class path of an application. */
  private static String inApplication(Path folder, Supplier<String> call) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new Application(folder)) {
      thread.setContextClassLoader(loader);
      return call.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** The tests here run in the module itself; examples/packaging has jars and images. */
  @Test
  void aMissingModuleIsToldFromAServiceFileThatLostItsEntry(@TempDir Path folder)
      throws IOException {
    String missing =
        "no provider for variant 'counting'; installed: none; add io.bloomery:bloomery-counting to"
            + " the module path, and where modules are limited --add-modules io.bloomery.counting";
    assertEquals(missing, inApplication(folder, () -> notInstalled("counting")));
    Path file = folder.resolve("io/bloomery/counting/CountingProvider.class");
    Files.createDirectories(file.getParent());
    Files.createFile(file);
    assertEquals(
        "no provider for variant 'counting'; installed: none; io.bloomery.counting.CountingProvider"
            + " is there, but no service entry names it: a fat jar must merge the files of"
            + " META-INF/services, in Maven by ServicesResourceTransformer, in Gradle by"
            + " mergeServiceFiles()",
        inApplication(folder, () -> notInstalled("counting")));
    assertEquals(missing, notInstalled("counting"));
    assertEquals(
        "no provider for variant 'counting'; installed: plain;"
            + " give io.bloomery.counting.CountingProvider to Bloomery.with, too",
        inApplication(folder, () -> unknown("counting", "plain")));
  }

  /** A class loader of an application: it has a plug-in of its own beside what its parent has. */
  private static final class Application extends URLClassLoader {
    Application(Path folder) throws IOException {
      super(new URL[] {folder.toUri().toURL()}, FilterProvidersTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.equals(ForeignProvider.class.getName())
          ? findClass(name)
          : super.loadClass(name, resolve);
    }
  }

  @Test
  void providersAreFoundThroughTheThreadsLoaderToo(@TempDir Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    String plugin = ForeignProvider.class.getName();
    Files.writeString(services.resolve(FilterProvider.class.getName()), plugin + "\n");
    Path classFile = folder.resolve(plugin.replace('.', '/') + ".class");
    Files.createDirectories(classFile.getParent());
    try (InputStream bytes = ForeignProvider.class.getResourceAsStream("ForeignProvider.class")) {
      Files.copy(bytes, classFile);
    }
    assertEquals(List.of(), Bloomery.installed().providers().variants());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new Application(folder)) {
      thread.setContextClassLoader(loader);
      assertEquals(List.of("foreign"), Bloomery.installed().providers().variants());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void whatIsInstalledIsFoundOnceForEachLoader(@TempDir Path folder) throws Exception {
    FilterProviders first = FilterProviders.installed();
    assertSame(first, FilterProviders.installed());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URLClassLoader loader = new Application(folder);
    Reference<ClassLoader> unused = new WeakReference<>(loader);
    try {
      thread.setContextClassLoader(loader);
      FilterProviders other = FilterProviders.installed();
      assertNotSame(first, other);
      assertSame(other, FilterProviders.installed());
    } finally {
      thread.setContextClassLoader(before);
      loader.close();
    }
    loader = null; // so that whatever still refers to it is in the library
    for (int i = 0; i < 5 && !unused.refersTo(null); i++) {
      System.gc();
    }
    assertTrue(unused.refersTo(null), "a class loader that nobody uses is kept");
  }

  /** Another copy of this library in the thread's loader has providers that are not ours. */
  @Test
  void providersOfAnotherCopyOfTheLibraryAreLeftAlone(@TempDir Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(FilterProvider.class.getName()), "no.such.Provider\n");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
      thread.setContextClassLoader(loader);
      assertEquals(List.of(), Bloomery.installed().providers().variants());
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
