package io.bloomery.filter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * The reason why a variant is not installed, and the remedy: its jar is missing, its service entry
 * was lost in a fat jar, its module was not linked, or its name is misspelt.
 */
final class MissingVariant {
  // decisions.md#messages-know-the-classes-and-modules-of-our-variants-by-name

  private static final String FILE = "variants.properties";

  /** What a variant is named that had another name before the first release. */
  private static final Map<String, String> RENAMED = Map.of("split-block", "blocked");

  private final String artifact;
  private final String module;
  private final String provider;

  private MissingVariant(String[] place) {
    this.artifact = place[0];
    this.module = place[1];
    this.provider = place[2];
  }

  /**
   * Returns a message about a variant that was requested but is missing.
   *
   * @param installed the variants that are present
   * @param loaded whether these were located by service loader; otherwise they were given
   * @param loaders the class loaders that were searched for providers
   */
  static String message(
      String variant, Set<String> installed, boolean loaded, List<ClassLoader> loaders) {
    Properties places = places();
    String newName = RENAMED.get(variant);
    return "no provider for variant '"
        + variant
        + "'; installed: "
        + (installed.isEmpty() ? "none" : String.join(", ", installed))
        + (newName != null
            ? "; it is named '" + newName + "' now: use that name, and make its files anew"
            : Optional.ofNullable(places.getProperty(variant))
                .map(place -> new MissingVariant(place.split(" ", -1)))
                .map(known -> "; " + known.remedy(loaded, loaders))
                .orElseGet(() -> suggestion(variant, installed)));
  }

  private static Properties places() {
    Properties places = new Properties();
    try (InputStream in = MissingVariant.class.getResourceAsStream(FILE)) {
      if (in != null) { // absent if a fat jar omitted it
        places.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(FILE + " cannot be read", e);
    }
    return places;
  }

  private String remedy(boolean loaded, List<ClassLoader> loaders) {
    if (!loaded) {
      return isPresent(loaders)
          ? "give " + provider + " to Bloomery.with, too"
          : "add io.bloomery:" + artifact + " to the class path";
    }
    if (isPresent(loaders)) {
      return provider
          + " is there, but no service entry names it: a fat jar must merge the files of"
          + " META-INF/services, in Maven by ServicesResourceTransformer, in Gradle by"
          + " mergeServiceFiles()";
    }
    Module api = FilterProvider.class.getModule();
    if (!api.isNamed()) {
      return "add io.bloomery:" + artifact + " to the class path";
    }
    return isLinked(api)
        ? "this run-time image was linked without it: give jlink --bind-services or --add-modules "
            + module
        : "add io.bloomery:"
            + artifact
            + " to the module path, and where modules are limited --add-modules "
            + module;
  }

  /** Returns whether the provider's class is visible to one of the loaders, without loading it. */
  private boolean isPresent(List<ClassLoader> loaders) {
    String file = provider.replace('.', '/') + ".class";
    return loaders.stream().anyMatch(loader -> loader.getResource(file) != null);
  }

  /** Returns whether a module is part of the run-time image that is running. */
  private static boolean isLinked(Module module) {
    return ModuleFinder.ofSystem().find(module.getName()).isPresent();
  }

  private static String suggestion(String variant, Set<String> installed) {
    return Likeness.nearest(variant, installed)
        .map(name -> "; did you mean '" + name + "'?")
        .orElse("");
  }
}
