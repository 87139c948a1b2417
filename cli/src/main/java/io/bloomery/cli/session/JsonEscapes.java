package io.bloomery.cli.session;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;

/**
 * The JSON escapes of this program: besides the required ones, those of all characters that a
 * terminal would interpret, since people may look at the JSON as well. Programs read the same text.
 */
public final class JsonEscapes extends CharacterEscapes {

  private static final long serialVersionUID = 1;

  private final int[] ascii = standardAsciiEscapesForJSON();

  private JsonEscapes() {
    ascii[0x7f] = ESCAPE_STANDARD;
  }

  /** Returns the factory of the generators of this program. */
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
