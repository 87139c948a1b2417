package io.bloomery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Providers by the names of their variants. */
final class Catalog {

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
    ClassLoader own = ownLoader();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null && context != own && knowsThisApi(context)
        ? List.of(own, context)
        : List.of(own);
  }

  private static ClassLoader ownLoader() {
    ClassLoader own = FilterProvider.class.getClassLoader();
    return own == null ? ClassLoader.getSystemClassLoader() : own; // null on the boot class path
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
    return MissingVariant.message(variant, providers.keySet(), loaded, loaders());
  }
}
