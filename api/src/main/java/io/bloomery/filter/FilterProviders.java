package io.bloomery.filter;

import io.bloomery.internal.Names;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An immutable, thread-safe set of providers, by the names of their variants: the installed
 * providers, or given ones.
 */
public final class FilterProviders {
  // decisions.md#no-cache-of-providers-in-the-builders
  // decisions.md#providers-of-the-threads-loader-are-asked-for-only-if-it-sees-the-same-filterprovider-class

  private static final int MAX_NAME_LENGTH = 64;

  // Weak, so that the cache does not prevent plug-ins or their application from being unloaded.
  private static volatile Reference<FilterProviders> lastInstalled = new WeakReference<>(null);

  private final SortedMap<String, FilterProvider> providers = new TreeMap<>();
  private final boolean loaded;
  private final Reference<ClassLoader> context; // the context class loader at loading

  /**
   * Returns a set of exactly the given providers.
   *
   * @throws IllegalArgumentException if two providers have the same variant
   */
  public static FilterProviders of(FilterProvider... providers) {
    return new FilterProviders(List.of(providers), false, ownLoader());
  }

  private FilterProviders(
      Collection<? extends FilterProvider> providers, boolean loaded, ClassLoader context) {
    this.loaded = loaded;
    this.context = new WeakReference<>(context);
    for (FilterProvider provider : providers) {
      String variant = provider.variant();
      if (!Names.isName(variant, MAX_NAME_LENGTH)) {
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
   * Returns the installed providers, located by {@link ServiceLoader} with the class loader of this
   * library and then with the context class loader of the current thread. The last result is
   * cached, by a weak reference, until a thread with a different context class loader calls this
   * method.
   *
   * @throws IllegalArgumentException if two providers have the same variant
   * @throws java.util.ServiceConfigurationError if a provider cannot be loaded
   */
  // Both loaders are needed: the context class loader of a common-pool thread may see neither the
  // application nor its libraries, and the loader of this library may not see plug-ins of the
  // application.
  public static FilterProviders installed() {
    ClassLoader context =
        Objects.requireNonNullElseGet(
            Thread.currentThread().getContextClassLoader(), FilterProviders::ownLoader);
    FilterProviders last = lastInstalled.get();
    if (last != null && last.context.refersTo(context)) {
      return last;
    }
    Set<Class<?>> seen = new LinkedHashSet<>();
    List<FilterProvider> found = new ArrayList<>();
    for (ClassLoader loader : loaders()) {
      collect(loader, seen, found);
    }
    FilterProviders installed = new FilterProviders(found, true, context);
    lastInstalled = new WeakReference<>(installed);
    return installed;
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
    // A loop instead of a stream: each lambda costs as much on the first opening as reading a small
    // file.
    Iterator<ServiceLoader.Provider<FilterProvider>> providers =
        ServiceLoader.load(FilterProvider.class, loader).stream().iterator();
    while (providers.hasNext()) {
      ServiceLoader.Provider<FilterProvider> provider = providers.next();
      if (seen.add(provider.type())) {
        found.add(provider.get());
      }
    }
  }

  private static boolean knowsThisApi(ClassLoader loader) {
    try {
      return loader.loadClass(FilterProvider.class.getName()) == FilterProvider.class;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Returns all providers, in alphabetical order of their variants. */
  public Collection<FilterProvider> all() {
    return Collections.unmodifiableCollection(providers.values());
  }

  /** Returns the names of the variants, in alphabetical order. */
  public List<String> variants() {
    return List.copyOf(providers.keySet());
  }

  /** Returns the provider of a variant, or empty if there is none. */
  public Optional<FilterProvider> find(String variant) {
    return Optional.ofNullable(providers.get(Objects.requireNonNull(variant, "variant")));
  }

  /**
   * Returns the provider of a variant.
   *
   * @throws IllegalArgumentException if there is none; the message is that of {@link #missing}
   */
  public FilterProvider get(String variant) {
    return find(variant).orElseThrow(() -> new IllegalArgumentException(missing(variant)));
  }

  /** Returns a message that a variant has no provider, with the probable reason and the remedy. */
  public String missing(String variant) {
    return MissingVariant.message(variant, providers.keySet(), loaded, loaders());
  }
}
