package io.bloomery.internal;

import java.util.Optional;

/** Why a hasher does not fit a filter: what the filter was built with, and what is given. */
public final class KeyMismatch {

  /** What is different. */
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
   * Compares a filter with a hasher by their hash ids and key forms.
   *
   * @param isKnown whether the form of the filter is one that this version knows
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

  /** Returns what is different. */
  public Kind kind() {
    return kind;
  }

  /** Returns what must hold, what is given and what to do. */
  public String reason() {
    return reason;
  }
}
