package io.bloomery.conformance.hostile;

/** How an input was made. */
public enum Kind {
  /** What a filter wrote, as it is. */
  WHOLE("as written"),
  /** One bit is another. */
  FLIPPED_BIT("one bit flipped"),
  /** The end is missing. */
  TRUNCATED("truncated"),
  /** Something follows. */
  EXTENDED("extended"),
  /** A field of the header has an extreme value, with right checksums and without. */
  HEADER_FIELD("field of the header"),
  /** The header, or a part of it, is that of another filter, mostly of another variant. */
  TRANSPLANTED("transplanted header"),
  /** A word of the payload has an extreme value, with right checksums. */
  PAYLOAD_WORD("word of the payload"),
  /** A large filter is cut off, or announces more than there is. */
  LARGE("large, cut off"),
  /** Bytes are others, and checksums as they were. */
  EDITED("mutant: bytes edited"),
  /** Bytes are others, with right checksums. */
  EDITED_SEALED("mutant: bytes edited, resealed"),
  /** Words of the payload are others, with right checksums. */
  WORDS("mutant: words replaced"),
  /** Words of the payload are moved, repeated, left out or added, with right checksums. */
  PARTS("mutant: parts moved"),
  /** Numbers of the layout are others, with right checksums. */
  NUMBERS("mutant: layout"),
  /** What was asked or announced is something else, with right checksums. */
  SPEC("mutant: keys, rate, length"),
  /** One filter's beginning and another's end. */
  SPLICED("mutant: spliced"),
  /** Layout and content are changed, with right checksums. */
  MIXED("mutant: layout and content");

  private final String label;

  Kind(String label) {
    this.label = label;
  }

  /** Returns a few words for people. */
  @Override
  public String toString() {
    return label;
  }
}
