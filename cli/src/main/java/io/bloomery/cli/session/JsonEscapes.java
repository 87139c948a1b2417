package io.bloomery.cli.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;

/**
 * What JSON escapes beyond what it must, as a person may look at it too: whatever a terminal would
 * obey. Programs read the same text.
 */
public final class JsonEscapes extends CharacterEscapes {

  private static final long serialVersionUID = 1;

  private final int[] ascii = standardAsciiEscapesForJSON();

  private JsonEscapes() {
    ascii[0x7f] = ESCAPE_STANDARD;
  }

  /** Returns what makes the generators of this program. */
  public static JsonFactory factory() {
    return new JsonFactory().setCharacterEscapes(new JsonEscapes());
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return ascii;
  }

  @Override
  public SerializableString getEscapeSequence(int c) {
    boolean isHalf = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return VisibleText.isObeyed(c) && !isHalf
        ? new SerializedString(String.format("\\u%04x", c))
        : null;
  }
}
