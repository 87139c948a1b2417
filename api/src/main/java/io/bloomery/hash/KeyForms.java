package io.bloomery.hash;

/** The rules for key forms of hashers, and the messages about violations. */
final class KeyForms {

  private KeyForms() {}

  /** Returns a hasher of keys that are already in a form. */
  static <K> KeyHasher<K> ready(KeyHasher<K> hasher, KeyForm form) {
    if (hasher.keyForm() != KeyForm.PLAIN) {
      return same(hasher, form);
    }
    return form == KeyForm.PLAIN ? hasher : new ReadyHasher<>(hasher, form);
  }

  /**
   * Returns a hasher that applies a form, for a hasher that does not support forms itself: throws
   * unless the hasher already has the form.
   */
  static <K> KeyHasher<K> applied(KeyHasher<K> hasher, KeyForm form) {
    if (hasher.keyForm() != KeyForm.PLAIN || form == KeyForm.PLAIN) {
      return same(hasher, form);
    }
    throw new IllegalArgumentException(
        "a hasher that applies a key form must be one of those that KeyHasher's own methods return,"
            + " but is "
            + hasher.id()
            + " of class "
            + hasher.getClass().getName()
            + ", and was to apply '"
            + form
            + "'; apply it to keys yourself, by KeyForm.apply, and say readyIn(...)");
  }

  /** Returns the hasher if its form is this one; throws otherwise. */
  private static <K> KeyHasher<K> same(KeyHasher<K> hasher, KeyForm form) {
    if (form != hasher.keyForm()) {
      throw new IllegalArgumentException(
          "a hasher takes one key form, but "
              + hasher
              + " has one, and was to take '"
              + form
              + "'; give the hasher without a form the one that is meant, such as"
              + " KeyForm.IGNORE_CASE.trimmed()");
    }
    return hasher;
  }

  static IllegalArgumentException notOfTextOrBytes(KeyHasher<?> hasher, KeyForm form) {
    return new IllegalArgumentException(
        "a key form must be for keys that are text or bytes, but '"
            + form
            + "' was for "
            + hasher.id()
            + "; leave it out, or take a hasher such as KeyHasher.strings()");
  }

  static IllegalArgumentException ofField(KeyHasher<?> hasher, int number) {
    return new IllegalArgumentException(
        "field "
            + number
            + " must have no key form of its own, since a filter records one for whole keys, but is "
            + hasher
            + "; apply it before, as in KeyHasher.utf8Bytes().compose(user ->"
            + " KeyForm.IGNORE_CASE.apply(user.name()))");
  }
}
