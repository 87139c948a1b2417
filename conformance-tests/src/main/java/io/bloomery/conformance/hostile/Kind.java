package io.bloomery.conformance.hostile;

/** How an input was made. */
public enum Kind {
  /** The unchanged output of a filter. */
  WHOLE("as written"),
  /** One bit is flipped. */
  FLIPPED_BIT("one bit flipped"),
  /** The end is missing. */
  TRUNCATED("truncated"),
  /** Bytes are appended. */
  EXTENDED("extended"),
  /** A field of the header has an extreme value, with and without correct checksums. */
  HEADER_FIELD("field of the header"),
  /** The header, or a part of it, is that of another filter, mostly of another variant. */
  TRANSPLANTED("transplanted header"),
  /** A word of the payload has an extreme value, with correct checksums. */
  PAYLOAD_WORD("word of the payload"),
  /** A large filter is truncated, or announces more than is present. */
  LARGE("large, cut off"),
  /** Bytes are changed, without updating checksums. */
  EDITED("mutant: bytes edited"),
  /** Bytes are changed, with correct checksums. */
  EDITED_SEALED("mutant: bytes edited, resealed"),
  /** Words of the payload are replaced, with correct checksums. */
  WORDS("mutant: words replaced"),
  /** Words of the payload are moved, repeated, omitted or added, with correct checksums. */
  PARTS("mutant: parts moved"),
  /** Numbers of the layout are changed, with correct checksums. */
  NUMBERS("mutant: layout"),
  /** The requested or announced numbers are changed, with correct checksums. */
  SPEC("mutant: keys, rate, length"),
  /** The beginning of one filter is joined to the end of another. */
  SPLICED("mutant: spliced"),
  /** Layout and content are changed, with correct checksums. */
  MIXED("mutant: layout and content");

  private final String label;

  Kind(String label) {
    this.label = label;
  }

  /** Returns a short description for human readers. */
  @Override
  public String toString() {
    return label;
  }
}
