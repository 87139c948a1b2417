package io.bloomery;

import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Providers by the names of their variants. */
final class Catalog {

  /** Where a variant of this project is found, if it is installed. */
  private record Home(String artifact, String module, String provider) {}

  // For messages, and for nothing else: what is installed is found by ServiceLoader alone.
  private static final Map<String, Home> OURS =
      Map.of(
          "standard",
              new Home(
                  "bloomery-standard",
                  "io.bloomery.standard",
                  "io.bloomery.standard.StandardProvider"),
          "partitioned",
              new Home(
                  "bloomery-partitioned",
                  "io.bloomery.partitioned",
                  "io.bloomery.partitioned.PartitionedProvider"),
          "split-block",
              new Home(
                  "bloomery-partitioned",
                  "io.bloomery.partitioned",
                  "io.bloomery.partitioned.SplitBlockProvider"),
          "counting",
              new Home(
                  "bloomery-counting",
                  "io.bloomery.counting",
                  "io.bloomery.counting.CountingProvider"),
          "scalable",
              new Home(
                  "bloomery-scalable",
                  "io.bloomery.scalable",
                  "io.bloomery.scalable.ScalableProvider"));

  private static final int MAX_NAME_LENGTH = 64;

  private final SortedMap<String, FilterProvider> providers = new TreeMap<>();
  private final boolean loaded;

  /** Takes these providers and no others. */
  Catalog(Collection<? extends FilterProvider> providers) {
    this(providers, false);
  }

  private Catalog(Collection<? extends FilterProvider> providers, boolean loaded) {
    this.loaded = loaded;
    for (FilterProvider provider : providers) {
      String variant = provider.variant();
      if (!FilterSpec.isName(variant, MAX_NAME_LENGTH)) {
        throw new IllegalArgumentException(
            "a variant's name must be 1 to 64 printable ASCII characters, but "
                + provider.getClass().getName()
                + " is named '"
                + variant
                + "'");
      }
      FilterProvider same = this.providers.putIfAbsent(variant, provider);
      if (same != null) {
        throw new IllegalArgumentException(
            "each variant must have one provider, but '"
                + variant
                + "' has "
                + same.getClass().getName()
                + " and "
                + provider.getClass().getName()
                + "; remove one of them from the class path");
      }
    }
  }

  /**
   * Finds providers beside this class first and then where the thread looks for classes. A thread
   * of a common pool may know neither the application nor its libraries, so the second alone would
   * not do; a plug-in may be known to the application only, so the first alone would not either.
   */
  static Catalog load() {
    Set<Class<?>> seen = new LinkedHashSet<>();
    List<FilterProvider> found = new ArrayList<>();
    for (ClassLoader loader : loaders()) {
      collect(loader, seen, found);
    }
    return new Catalog(found, true);
  }

  private static List<ClassLoader> loaders() {
    ClassLoader own = FilterProvider.class.getClassLoader();
    if (own == null) { // on the boot class path
      own = ClassLoader.getSystemClassLoader();
    }
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null && context != own && knowsThisApi(context)
        ? List.of(own, context)
        : List.of(own);
  }

  private static void collect(
      ClassLoader loader, Set<Class<?>> seen, Collection<FilterProvider> found) {
    ServiceLoader.load(FilterProvider.class, loader).stream()
        .filter(provider -> seen.add(provider.type()))
        .map(ServiceLoader.Provider::get)
        .forEach(found::add);
  }

  private static boolean knowsThisApi(ClassLoader loader) {
    try {
      return loader.loadClass(FilterProvider.class.getName()) == FilterProvider.class;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  Collection<FilterProvider> all() {
    return Collections.unmodifiableCollection(providers.values());
  }

  Optional<FilterProvider> find(String variant) {
    return Optional.ofNullable(providers.get(variant));
  }

  FilterProvider get(String variant) {
    Objects.requireNonNull(variant, "variant");
    FilterProvider provider = providers.get(variant);
    if (provider == null) {
      throw new IllegalArgumentException(unknown(variant));
    }
    return provider;
  }

  /**
   * Returns the provider of the filter with this header.
   *
   * @throws FilterFormatException if there is none
   */
  FilterProvider get(Header header) throws FilterFormatException {
    if (!providers.containsKey(header.variant())) {
      throw new FilterFormatException(Header.VARIANT_AT, unknown(header.variant()));
    }
    return providers.get(header.variant());
  }

  private String unknown(String variant) {
    StringBuilder message = new StringBuilder("no provider for variant '").append(variant);
    message.append("'; installed: ");
    message.append(providers.isEmpty() ? "none" : String.join(", ", providers.keySet()));
    Home home = OURS.get(variant);
    if (home != null) {
      return message.append("; ").append(remedy(home)).toString();
    }
    providers.keySet().stream()
        .filter(name -> distance(name, variant) <= 1 + name.length() / 4)
        .min((a, b) -> Integer.compare(distance(a, variant), distance(b, variant)))
        .ifPresent(name -> message.append("; did you mean '" + name + "'?"));
    return message.toString();
  }

  private String remedy(Home home) {
    boolean present = isPresent(home.provider);
    if (!loaded) {
      return present
          ? "give " + home.provider + " to Bloomery.with, too"
          : "add io.bloomery:" + home.artifact + " to the class path";
    }
    if (present) {
      return home.provider
          + " is there, but no service entry names it: a fat jar must merge the files of"
          + " META-INF/services, in Maven by ServicesResourceTransformer, in Gradle by"
          + " mergeServiceFiles()";
    }
    Module api = FilterProvider.class.getModule();
    if (!api.isNamed()) {
      return "add io.bloomery:" + home.artifact + " to the class path";
    }
    return isLinked(api)
        ? "this run-time image was linked without it: give jlink --bind-services or --add-modules "
            + home.module
        : "add io.bloomery:"
            + home.artifact
            + " to the module path, and where modules are limited --add-modules "
            + home.module;
  }

  /** Returns whether a class is where providers are looked for, without loading it. */
  private static boolean isPresent(String className) {
    String file = className.replace('.', '/') + ".class";
    return loaders().stream().anyMatch(loader -> loader.getResource(file) != null);
  }

  /** Returns whether a module is part of the run-time image that is running. */
  private static boolean isLinked(Module module) {
    return ModuleFinder.ofSystem().find(module.getName()).isPresent();
  }

  /** Counts the letters to add, drop or change to get from one word to the other (Levenshtein). */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
