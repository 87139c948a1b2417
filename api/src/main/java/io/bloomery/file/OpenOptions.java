package io.bloomery.file;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.KeyMismatch;
import io.bloomery.internal.MissingAbility;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Immutable options for opening or reading a filter: its thread mode, its limits, and requirements
 * on its keys and operations. A filter that does not meet them is rejected before any content is
 * read.
 *
 * <p>Each method returns a new instance.
 */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class OpenOptions {

  private final ThreadMode mode;
  private final FilterLimits limits;
  private final @Nullable KeyHasher<?> hasher; // null if keys are not checked
  private final Ability ability;
  private final @Nullable HeaderCheck check; // null if there is none

  /** The operations that a filter must support, as shown by its type. */
  private enum Ability {
    QUERY,
    PUT,
    REMOVE,
    MERGE
  }

  private OpenOptions(
      ThreadMode mode,
      FilterLimits limits,
      @Nullable KeyHasher<?> hasher,
      Ability ability,
      @Nullable HeaderCheck check) {
    this.mode = Objects.requireNonNull(mode, "mode");
    this.limits = Objects.requireNonNull(limits, "limits");
    this.hasher = hasher;
    this.ability = ability;
    this.check = check;
  }

  /** Opens filters of any keys for any number of threads, with no limit but the heap. */
  public static OpenOptions shared() {
    return of(ThreadMode.SHARED);
  }

  /** Opens filters of any keys for one thread at a time, with no limit but the heap. */
  public static OpenOptions confined() {
    return of(ThreadMode.CONFINED);
  }

  /** Opens filters of any keys, with no limit but the heap. */
  public static OpenOptions of(ThreadMode mode) {
    return new OpenOptions(mode, FilterLimits.HEAP, null, Ability.QUERY, null);
  }

  /** Sets the limits, for files of unknown origin; the opened filter keeps them. */
  public OpenOptions within(FilterLimits limits) {
    return new OpenOptions(mode, limits, hasher, ability, check);
  }

  /** Rejects filters that hold hashes of a different hasher, or keys in a different form. */
  public OpenOptions keys(KeyHasher<?> hasher) {
    return new OpenOptions(mode, limits, Objects.requireNonNull(hasher, "hasher"), ability, check);
  }

  /** Rejects filters that are not a {@link RemovableFilter}. */
  public OpenOptions removable() {
    return new OpenOptions(mode, limits, hasher, Ability.REMOVE, check);
  }

  /**
   * Sets a check, which rejects a filter by throwing an exception. It replaces a check that was set
   * before.
   */
  public OpenOptions check(HeaderCheck check) {
    return new OpenOptions(mode, limits, hasher, ability, Objects.requireNonNull(check, "check"));
  }

  /** Requires filters to be {@link Filter}s, which one puts into. */
  OpenOptions puttable() {
    return ability == Ability.QUERY
        ? new OpenOptions(mode, limits, hasher, Ability.PUT, check)
        : this;
  }

  /** Requires filters to be {@link MergeableFilter}s. */
  OpenOptions mergeable() {
    return new OpenOptions(mode, limits, hasher, Ability.MERGE, check);
  }

  ThreadMode mode() {
    return mode;
  }

  FilterLimits limits() {
    return limits;
  }

  /**
   * Returns the provider of a filter.
   *
   * @throws UnexpectedFilterException if it is not installed, or the filter does not satisfy these
   *     options
   * @throws IOException if the header check rejects the filter
   */
  VariantProvider provider(FilterHeader header, FilterProviders providers) throws IOException {
    Optional<VariantProvider> provider = providers.find(header.variant());
    if (provider.isEmpty()) {
      throw new UnexpectedFilterException(Reason.VARIANT, providers.missing(header.variant()));
    }
    if (check != null) {
      check.check(header);
    }
    checkKeys(header.spec());
    checkAbility(provider.get());
    if (header.payloadSize() > limits.maxBytes()) {
      throw new UnexpectedFilterException(
          Reason.SIZE,
          "maxBytes must be at least the "
              + header.payloadSize()
              + " bytes of the filter's content, but was "
              + limits.maxBytes()
              + "; allow more bytes if you trust the file");
    }
    return provider.get();
  }

  private void checkKeys(FilterSpec spec) throws UnexpectedFilterException {
    if (hasher == null) {
      return;
    }
    Optional<KeyMismatch> mismatch =
        KeyMismatch.of(
            spec.hashId(),
            spec.keyForm(),
            hasher.id(),
            hasher.keyForm().toString(),
            KeyForm.isKnown(spec.keyForm()));
    if (mismatch.isPresent()) {
      throw new UnexpectedFilterException(reason(mismatch.get().kind()), mismatch.get().reason());
    }
  }

  private static Reason reason(KeyMismatch.Kind kind) {
    return switch (kind) {
      case HASH -> Reason.KEYS;
      case SECRET -> Reason.SECRET;
      case FORM -> Reason.KEY_FORM;
    };
  }

  private void checkAbility(VariantProvider provider) throws UnexpectedFilterException {
    Class<?> type = provider.filterType();
    if (ability == Ability.PUT && !(provider instanceof FilterProvider)) {
      throw new UnexpectedFilterException(
          Reason.VARIANT, MissingAbility.putting(provider.variant()));
    }
    if (ability == Ability.REMOVE && !RemovableFilter.class.isAssignableFrom(type)) {
      throw new UnexpectedFilterException(
          Reason.VARIANT, MissingAbility.removing(provider.variant()));
    }
    if (ability == Ability.MERGE && !MergeableFilter.class.isAssignableFrom(type)) {
      throw new UnexpectedFilterException(
          Reason.VARIANT,
          provider instanceof FilterProvider
              ? MissingAbility.merging(provider.variant())
              : MissingAbility.mergingBuilt(provider.variant()));
    }
  }
}
