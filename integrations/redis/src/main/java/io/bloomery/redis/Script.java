package io.bloomery.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A script that a server runs atomically: the content of {@code scripts/NAME.lua}; or a command of
 * its own where that does.
 */
@SuppressWarnings("ImmutableEnumChecker") // the bytes of commands, which are never changed
enum Script {
  // decisions.md#everything-on-a-server-is-a-script-not-bitfield-or-multi

  EXISTS(true),
  HMGET(true),
  GETRANGE(true),
  CREATE,
  READ_RECORD,
  BEGIN,
  FINISH,
  CANCEL,
  RENEW,
  RENEW_CHUNK,
  SET_FIELDS,
  DELETE,
  SIZES,
  SWEEP,
  MAKE_CHUNK,
  PROBE,
  PUT,
  QUERY,
  GET_WORDS,
  OR_WORDS,
  CLEAR,
  SEAL,
  SWAP,
  DROP_NEXT,
  WINDOW_CREATE,
  WINDOW;

  private static final byte[] EVALSHA = ascii("EVALSHA");
  private static final byte[] EVAL = ascii("EVAL");

  private final boolean isCommand;
  private final byte[] source;
  private final byte[] digest;

  Script() {
    this(false);
  }

  Script(boolean isCommand) {
    this.isCommand = isCommand;
    if (isCommand) {
      source = ascii(name());
      digest = source;
      return;
    }
    source =
        (text("prelude") + text(name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')))
            .getBytes(StandardCharsets.US_ASCII);
    try {
      digest = ascii(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  private static String text(String name) {
    String path = "scripts/" + name + ".lua";
    try (InputStream in = Script.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns the command that runs the script.
   *
   * @param known whether the server is assumed to have cached the script by its digest
   */
  List<byte[]> command(boolean known, List<byte[]> keys, List<byte[]> arguments) {
    List<byte[]> command = new ArrayList<>(3 + keys.size() + arguments.size());
    if (isCommand) {
      command.add(source);
    } else {
      command.add(known ? EVALSHA : EVAL);
      command.add(known ? digest : source);
      command.add(ascii(Integer.toString(keys.size())));
    }
    command.addAll(keys);
    command.addAll(arguments);
    return command;
  }
}
