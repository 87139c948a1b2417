package io.bloomery.cli.foreign;

import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import io.bloomery.hash.KeyForm;
import io.bloomery.interop.ItemEncoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;

/**
 * The encoding of the key of a line as the bytes that another system hashes.
 *
 * @param name the name, as in {@link ItemEncoding#name}
 * @param isInteger whether the key is written as a decimal integer
 * @param items encodes the bytes of a key, which for an integer are those of a long, little-endian
 */
public record LineEncoding(String name, boolean isInteger, ItemEncoding<byte[]> items) {

  private static final String BYTES = ItemEncoding.bytes().name();

  private static final List<LineEncoding> ALL =
      List.of(
          // The bytes of a line already are its UTF-8, so they are not decoded.
          new LineEncoding(ItemEncoding.utf8().name(), false, ItemEncoding.bytes()),
          of(ItemEncoding.utf8UnlessEmpty().compose(LineEncoding::text)),
          of(ItemEncoding.utf16LittleEndian().compose(LineEncoding::text)),
          of(ItemEncoding.hadoopTexts().compose(LineEncoding::text)),
          of(ItemEncoding.bytes()),
          ofIntegers(ItemEncoding.intsLittleEndian().compose(LineEncoding::intOf)),
          ofIntegers(ItemEncoding.intsBigEndian().compose(LineEncoding::intOf)),
          ofIntegers(ItemEncoding.longsLittleEndian().compose(LineEncoding::longOf)),
          ofIntegers(ItemEncoding.longsBigEndian().compose(LineEncoding::longOf)),
          ofIntegers(ItemEncoding.hiveLongs().compose(LineEncoding::longOf)),
          of(ItemEncoding.sparkXxHash64(ItemEncoding.bytes())),
          ofIntegers(
              ItemEncoding.sparkXxHash64(
                  ItemEncoding.longsLittleEndian().compose(LineEncoding::longOf))),
          ofIntegers(
              ItemEncoding.sparkXxHash64(
                  ItemEncoding.intsLittleEndian().compose(LineEncoding::intOf))),
          of(ItemEncoding.uuids().compose(LineEncoding::uuid)),
          of(ItemEncoding.redissonCodec("StringCodec").compose(LineEncoding::text)),
          ofIntegers(ItemEncoding.redissonCodec("LongCodec").compose(LineEncoding::longOf)),
          of(ItemEncoding.redissonCodec("ByteArrayCodec").compose(key -> key)));

  /** The names of all encodings, for the help and for completion by a shell. */
  static final class Names implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }

  private static LineEncoding of(ItemEncoding<byte[]> items) {
    return new LineEncoding(items.name(), false, items);
  }

  private static LineEncoding ofIntegers(ItemEncoding<byte[]> items) {
    return new LineEncoding(items.name(), true, items);
  }

  public static List<String> names() {
    return ALL.stream().map(LineEncoding::name).toList();
  }

  /**
   * Returns the encoding with a name.
   *
   * @throws Failure if there is none
   */
  static LineEncoding named(String name) throws Failure {
    for (LineEncoding encoding : ALL) {
      if (encoding.name.equals(name)) {
        return encoding;
      }
    }
    if (name.equals(ItemEncoding.cassandraComposites().name())) {
      throw Failure.usage(
          "%s has no '%s' here, where a line is one value; write the serialized key in hex,"
              + " with --encoding %s --hex",
          ForeignOptions.ENCODING, name, BYTES);
    }
    if (name.endsWith("Codec")) {
      Failure.usageIfRefused(() -> ItemEncoding.redissonCodec(name));
    }
    throw ForeignNames.unknown(ForeignOptions.ENCODING, name, names());
  }

  /**
   * Returns the syntax of keys for this encoding and the syntax that the options describe.
   *
   * @throws Failure if keys of that syntax cannot be encoded this way
   */
  KeySyntax syntax(KeySyntax asked) throws Failure {
    if (isInteger) {
      if (!KeySyntax.INTEGER.includes(asked)) {
        throw Failure.usage(
            "--encoding %s is of integers, but the options say '%s'; leave them out", name, asked);
      }
      return KeySyntax.INTEGER;
    }
    if (asked.isInteger()) {
      throw Failure.usage(
          "--integer does not say how another system writes an integer; say it by --encoding "
              + ALL.stream()
                  .filter(LineEncoding::isInteger)
                  .map(LineEncoding::name)
                  .reduce((one, other) -> one + ", " + other)
                  .orElseThrow());
    }
    boolean isBytes =
        asked.includes(KeySyntax.of(KeyForm.HEX)) || asked.includes(KeySyntax.of(KeyForm.BASE64));
    if (isBytes && !name.equals(BYTES) && !name.equals("ByteArrayCodec")) {
      throw Failure.usage(
          "keys written as '%s' are bytes, but --encoding is %s; make it --encoding %s",
          asked, name, BYTES);
    }
    return asked;
  }

  private static String text(byte[] key) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a key must be text in UTF-8", e);
    }
  }

  private static long longOf(byte[] key) {
    return ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  // A number from 2^31 on is the int with its bits.
  private static int intOf(byte[] key) {
    long number = longOf(key);
    if (number < Integer.MIN_VALUE || number >= 1L << Integer.SIZE) {
      throw new IllegalArgumentException(
          "a key must be an integer from "
              + Integer.MIN_VALUE
              + " to "
              + Integer.toUnsignedString(-1)
              + ", but is "
              + number);
    }
    return (int) number;
  }

  private static UUID uuid(byte[] key) {
    String text = text(key);
    // Java also accepts shorter groups.
    if (!text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
      throw new IllegalArgumentException(
          "a key must be a UUID such as 123e4567-e89b-12d3-a456-426614174000");
    }
    return UUID.fromString(text);
  }
}
