package io.bloomery.filter;

import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.Names;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
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

  private final SortedMap<String, VariantProvider> providers = new TreeMap<>();
  private final boolean loaded;
  private final Reference<ClassLoader> context; // the context class loader at loading

  /**
   * Returns a set of exactly the given providers.
   *
   * @throws IllegalArgumentException if two providers have the same variant
   */
  public static FilterProviders of(VariantProvider... providers) {
    return new FilterProviders(List.of(providers), false, ownLoader());
  }

  private FilterProviders(
      Collection<? extends VariantProvider> providers, boolean loaded, ClassLoader context) {
    this.loaded = loaded;
    this.context = new WeakReference<>(context);
    for (VariantProvider provider : providers) {
      String variant = provider.variant();
      if (!Names.isName(variant, MAX_NAME_LENGTH)) {
        throw new IllegalArgumentException(
            "a variant's name must be 1 to 64 printable ASCII characters, but "
                + provider.getClass().getName()
                + " is named '"
                + variant
                + "'");
      }
      VariantProvider same = this.providers.putIfAbsent(variant, provider);
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
    List<VariantProvider> found = new ArrayList<>();
    for (ClassLoader loader : loaders()) {
      collect(FilterProvider.class, loader, seen, found);
      collect(StaticFilterProvider.class, loader, seen, found);
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

  private static <P extends VariantProvider> void collect(
      Class<P> service, ClassLoader loader, Set<Class<?>> seen, Collection<? super P> found) {
    // A loop instead of a stream: each lambda costs as much on the first opening as reading a small
    // file.
    Iterator<ServiceLoader.Provider<P>> providers =
        ServiceLoader.load(service, loader).stream().iterator();
    while (providers.hasNext()) {
      ServiceLoader.Provider<P> provider = providers.next();
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

  /** Returns the providers of filters that accept puts, in alphabetical order of their variants. */
  public Collection<FilterProvider> all() {
    return all(FilterProvider.class);
  }

  /** Returns the providers of filters that are built once, in alphabetical order. */
  public Collection<StaticFilterProvider> allStatic() {
    return all(StaticFilterProvider.class);
  }

  private <P extends VariantProvider> List<P> all(Class<P> kind) {
    return providers.values().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Returns the names of all variants, in alphabetical order. */
  public List<String> variants() {
    return List.copyOf(providers.keySet());
  }

  /** Returns the provider of a variant, or empty if there is none. */
  public Optional<VariantProvider> find(String variant) {
    return Optional.ofNullable(providers.get(Objects.requireNonNull(variant, "variant")));
  }

  /**
   * Returns the provider of a variant, whether its filters accept puts or are built once.
   *
   * @throws IllegalArgumentException if there is none; the message is that of {@link #missing}
   */
  public VariantProvider variant(String name) {
    return find(name).orElseThrow(() -> new IllegalArgumentException(missing(name)));
  }

  /**
   * Returns the provider of a variant whose filters accept puts.
   *
   * @throws IllegalArgumentException as for {@link #variant}, or if they are built once
   */
  public FilterProvider get(String variant) {
    if (variant(variant) instanceof FilterProvider creating) {
      return creating;
    }
    throw new IllegalArgumentException(MissingAbility.creating(variant));
  }

  /** Returns a message that a variant has no provider, with the probable reason and the remedy. */
  public String missing(String variant) {
    return MissingVariant.message(variant, providers.keySet(), loaded, loaders());
  }
}
