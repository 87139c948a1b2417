package io.bloomery.internal;

import java.util.Optional;

/** The reason why a hasher does not match a filter. */
public final class KeyMismatch {

  /** The kind of difference. */
  public enum Kind {
    HASH,
    SECRET,
    FORM
  }

  private static final String PLAIN = "plain";

  private final Kind kind;
  private final String reason;

  private KeyMismatch(Kind kind, String reason) {
    this.kind = kind;
    this.reason = reason;
  }

  /**
   * Compares a filter with a hasher by hash id and key form.
   *
   * @param isKnown whether this version supports the form of the filter
   */
  public static Optional<KeyMismatch> of(
      String filterId, String filterForm, String hasherId, String hasherForm, boolean isKnown) {
    if (!filterId.equals(hasherId)) {
      Kind kind = HashId.differBySecret(filterId, hasherId) ? Kind.SECRET : Kind.HASH;
      return Optional.of(new KeyMismatch(kind, HashId.mismatch(filterId, hasherId)));
    }
    return filterForm.equals(hasherForm)
        ? Optional.empty()
        : Optional.of(
            new KeyMismatch(
                Kind.FORM,
                "key form must be the one the filter was built with, '"
                    + filterForm
                    + "', but is '"
                    + hasherForm
                    + "'; "
                    + nextStep(filterForm, isKnown)));
  }

  private static String nextStep(String filterForm, boolean isKnown) {
    if (filterForm.equals(PLAIN)) {
      return "leave the key form out";
    }
    if (!isKnown) {
      return "this version does not know the filter's: use the version that made it";
    }
    return "say keyForm(KeyForm.parse(\""
        + filterForm
        + "\")), which applies it to each key, or keysReadyIn(...) where that has been done";
  }

  /** Returns the kind of difference. */
  public Kind kind() {
    return kind;
  }

  /** Returns a message with the expected value, the actual value and the remedy. */
  public String reason() {
    return reason;
  }
}
