package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.cli.input.Container;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.input.KeyColumn;
import io.bloomery.cli.input.TableFormat;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import io.bloomery.hash.KeyForm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads the keys of a CSV or TSV table as commands do: three bytes for the options, then the table.
 */
public final class ReadTable {

  private static final int OPTIONS = 3;
  private static final List<KeySyntax> SYNTAXES =
      List.of(
          KeySyntax.PLAIN,
          KeySyntax.INTEGER,
          KeySyntax.of(KeyForm.TRIM),
          KeySyntax.of(KeyForm.IGNORE_CASE),
          KeySyntax.of(KeyForm.UPPER_CASE),
          KeySyntax.of(KeyForm.HEX),
          KeySyntax.of(KeyForm.BASE64));

  private ReadTable() {}

  /**
   * What was read.
   *
   * @param keys the keys in hexadecimal digits
   * @param numbers the numbers of their lines
   * @param printed the header and all lines, as they are printed
   * @param failure why no more was read, or empty
   */
  private record Content(List<String> keys, List<Long> numbers, byte[] printed, String failure) {}

  /** Reads a table in one part and in small ones, and reads again what is printed of it. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length < OPTIONS) {
      return;
    }
    InputFormat format = format(input[0], input[1]);
    int from = OPTIONS;
    Content content = read(format, new ByteArrayInputStream(input, from, input.length - from));
    int chunk = 1 + (input[2] & 7);
    Content inParts =
        read(
            format,
            new ByteArrayInputStream(input, from, input.length - from) {
              @Override
              public synchronized int read(byte[] bytes, int start, int length) {
                return super.read(bytes, start, Math.min(length, chunk));
              }
            });
    require(
        content.failure.isEmpty() == inParts.failure.isEmpty(),
        "whether a table fails must not depend on where reads end");
    if (!content.failure.isEmpty()) {
      // The batch of a line that ends the command is not processed.
      int keys = Math.min(content.keys.size(), inParts.keys.size());
      require(
          content.keys.subList(0, keys).equals(inParts.keys.subList(0, keys)),
          "keys before a failure must not depend on where reads end");
      return;
    }
    require(content.keys.equals(inParts.keys), "keys must not depend on where reads end");
    require(content.numbers.equals(inParts.numbers), "nor must the numbers of lines");
    Trial.requireEqual(content.printed, inParts.printed, "nor must what is printed");
    Content again = read(format, new ByteArrayInputStream(content.printed));
    require(again.failure.isEmpty(), "what is printed must be read again, not: " + again.failure);
    require(again.keys.equals(content.keys), "what is printed must have the same keys");
    Trial.requireEqual(content.printed, again.printed, "what is printed must not change");
  }

  private static InputFormat format(byte options, byte key) {
    boolean quotes = (options & 1) != 0;
    char delimiter = quotes ? (options & 2) != 0 ? ';' : ',' : '\t';
    boolean header = (options & 4) != 0;
    List<KeyColumn> columns = new ArrayList<>();
    columns.add(new KeyColumn(options >>> 3 & 1, "of a number"));
    if (header && (options & 16) != 0) {
      columns.set(0, new KeyColumn(-1, "a"));
    }
    boolean one = (options & 32) == 0;
    if (!one) {
      columns.add(new KeyColumn(2, "3"));
    }
    KeySyntax syntax = SYNTAXES.get(one ? (key & 0xff) % SYNTAXES.size() : 0);
    KeyHash hash =
        one
            ? KeyHashes.WITHOUT_SECRET.of(syntax)
            : KeyHashes.WITHOUT_SECRET.ofFields(columns.size());
    return new InputFormat(
        Container.of(new TableFormat(delimiter, quotes, columns, header)),
        syntax,
        hash,
        (key & 0x80) == 0 ? 1 << 20 : 16,
        true,
        (options & 64) != 0,
        "");
  }

  private static Content read(InputFormat format, InputStream in) throws IOException {
    PrintStream none = new PrintStream(OutputStream.nullOutputStream());
    Session session =
        new Session(
            in,
            new StandardOutput(OutputStream.nullOutputStream()),
            none,
            Terminal.NONE,
            Bloomery::installed);
    List<String> keys = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    String failure = "";
    try {
      Inputs inputs = Inputs.of(session, List.of(), format);
      inputs.hideProgress();
      inputs.forEachBatch(
          batch -> {
            batch.writeHeader(printed);
            for (int i = 0; i < batch.size(); i++) {
              keys.add(HexFormat.of().formatHex(batch.key(i)));
              numbers.add(batch.number(i));
            }
            int[] all = IntStream.range(0, batch.size()).toArray();
            batch.writeLines(all, all.length, printed);
          });
    } catch (Failure e) {
      failure = e.getMessage();
      require(!failure.isEmpty(), "a failure must have a message");
    }
    return new Content(keys, numbers, printed.toByteArray(), failure);
  }
}
