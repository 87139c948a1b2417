package io.bloomery.cli.input;

import static io.bloomery.cli.input.ReadLines.bytes;
import static io.bloomery.cli.input.ReadLines.string;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.bloomery.cli.InChunks;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks the reader against the parser with the whole text at once. */
class CsvReaderTest {

  private static CsvReader reader(InputStream in, String column, boolean header) throws Failure {
    return new CsvReader(
        "table",
        in,
        TableFormat.csv(List.of(KeyColumn.of(column)), ',', header),
        KeySyntax.PLAIN,
        LineLimit.DEFAULT);
  }

  private static ReadLines read(String text, String column) throws Failure, IOException {
    return ReadLines.of(reader(new ByteArrayInputStream(bytes(text)), column, false));
  }

  /** Text that mostly consists of characters with a meaning in CSV. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("\n\r\"\",,a\u00ff").ofMaxLength(20);
  }

  @Property(tries = 5_000, seed = "1")
  void linesAreSkippedWhereverTheReadsEnd(
      @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws Failure, IOException {
    ReadLines whole =
        ReadLines.of(
            reader(new ByteArrayInputStream(bytes(text)), "1", false), new MalformedLines(true));
    assertEquals(
        whole,
        ReadLines.of(
            reader(new InChunks(bytes(text), chunk), "1", false), new MalformedLines(true)));
  }

  @Property(tries = 5_000, seed = "1")
  void recordsAreTheSameWhereverTheReadsEnd(
      @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws Failure, IOException {
    CsvReader reader = reader(new InChunks(bytes(text), chunk), "1", false);
    Optional<List<CsvRecord>> model = model(text);
    if (model.isEmpty()) {
      assertThrows(Failure.class, () -> ReadLines.of(reader), text);
      return;
    }
    ReadLines content = ReadLines.of(reader);
    assertEquals(model.get().stream().map(each -> each.getField(0)).toList(), content.keys());
    assertEquals(
        model.get().stream().map(CsvRecord::getStartingLineNumber).toList(), content.numbers());
    // The printed lines are read as the same records, and have all their bytes.
    assertEquals(fields(text), fields(content.lines()));
    assertEquals(withoutLineEnds(text), withoutLineEnds(content.lines()));
    assertEquals(
        content.keys().size(),
        reader(new InChunks(bytes(text), chunk), "1", false).count(new MalformedLines(false)));
  }

  /** Returns the records, or nothing if the text is not CSV. */
  private static Optional<List<CsvRecord>> model(String text) {
    try {
      return Optional.of(
          de.siegmar.fastcsv.reader.CsvReader.builder()
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .allowUnclosedQuote(false)
              .ofCsvRecord(text)
              .stream()
              .toList());
    } catch (CsvParseException e) {
      return Optional.empty();
    }
  }

  private static List<List<String>> fields(String text) {
    return model(text).orElseThrow().stream().map(CsvRecord::getFields).toList();
  }

  private static String withoutLineEnds(String text) {
    return text.replaceAll("[\r\n]", "");
  }

  @Test
  void aColumnIsFoundByItsNameOrNumber() throws Failure, IOException {
    String text =
        "id,name,\"e-mail, \"\"work\"\"\"\r\n"
            + "1,Ada,ada@example.org\r\n"
            + "2,\"Gr\u00fcn, \"\"Max\"\"\",max@example.org\r\n"
            + "\r\n"
            + "3,\"two\nlines\",\"\"\r\n"
            + "4,last,\"x\"";
    ReadLines byName = read(text, "name");
    assertEquals(List.of("Ada", "Gr\u00fcn, \"Max\"", "two\nlines", "last"), byName.keys());
    assertEquals(List.of(2L, 3L, 5L, 7L), byName.numbers());
    assertEquals("id,name,\"e-mail, \"\"work\"\"\"\r\n", byName.header());
    assertEquals(
        "1,Ada,ada@example.org\r\n2,\"Gr\u00fcn, \"\"Max\"\"\",max@example.org\r\n"
            + "3,\"two\nlines\",\"\"\r\n4,last,\"x\"\n",
        byName.lines());
    assertEquals(
        List.of("ada@example.org", "max@example.org", "", "x"),
        read(text, "e-mail, \"work\"").keys());
    assertEquals(List.of("id", "1", "2", "3", "4"), read(text, "1").keys());
    CsvReader numbered = reader(new ByteArrayInputStream(bytes(text)), "1", true);
    assertEquals(List.of("1", "2", "3", "4"), ReadLines.of(numbered).keys());
  }

  @Test
  void aLineEndInTwoPartsIsOne() throws Failure, IOException {
    ReadLines content = ReadLines.of(reader(new InChunks(bytes("a\r\nb\r\n"), 2), "1", false));
    assertEquals("a\r\nb\r\n", content.lines());
  }

  /** The parser receives some thousands of bytes at a time, and some line ends in two parts. */
  @Test
  void aLineEndInTwoPartsIsNoPartOfTheNextRecord() throws Failure, IOException {
    for (int power = 10; power < 18; power++) {
      for (int length = (1 << power) - 4; length < (1 << power) + 4; length++) {
        String record = "x".repeat(length);
        CsvReader reader =
            new CsvReader(
                "table",
                new ByteArrayInputStream(bytes((record + "\r\n").repeat(3))),
                TableFormat.csv(List.of(KeyColumn.of("1")), ',', false),
                KeySyntax.PLAIN,
                length);
        assertEquals(List.of(record, record, record), ReadLines.of(reader).keys());
      }
    }
  }

  @Test
  void aHeaderMayHaveAnyCharacters() throws Failure, IOException {
    CsvReader reader =
        reader(
            new ByteArrayInputStream("stra\u00dfe\nx\n".getBytes(StandardCharsets.UTF_8)),
            "stra\u00dfe",
            false);
    assertEquals(List.of("x"), ReadLines.of(reader).keys());
  }

  @Test
  void aColumnThatIsNotThereSaysWhichAre() {
    assertFails("has no column 'mail' in its first line, but 'id', 'name'; ", "id,name\n", "mail");
    assertFails("has no column 'mail' in its first line, but no columns; ", "", "mail");
    assertFails("has more than one column 'x'; ", "x,y,x\n1,2,3\n", "x");
    assertFails("line 3: a record must have column 3, but has 2; ", "1,2,3\n\n1,2\n", "3");
  }

  @Test
  void quotesThatAreNotClosedSayWhereTheyAreOpened() {
    assertFails("line 2: is not CSV: Unclosed quoted field", "a,b\n1,\"2\n3,4\n", "1");
    assertFails("line 1: is not CSV: Unclosed quoted field", "\"", "1");
    assertFails("line 1: is not CSV: Unclosed quoted field", "a,\"b\"\"", "1");
    assertFails("line 2: is not CSV: ", "a\n\"b\"c\n", "1");
  }

  private static void assertFails(String message, String text, String column) {
    Failure failure = assertThrows(Failure.class, () -> read(text, column));
    assertEquals(
        "table: " + message,
        failure.getMessage().substring(0, "table: ".length() + message.length()));
  }

  @Test
  void recordsFarLongerThanTheBufferComeWhole() throws Failure, IOException {
    String field = "x".repeat(1_000_000);
    String text =
        IntStream.range(0, 5)
            .mapToObj(i -> i + ",\"" + field + "\n" + i + "\"\n")
            .collect(Collectors.joining());
    ReadLines content = read(text, "2");
    assertEquals(text, content.lines());
    assertEquals(IntStream.range(0, 5).mapToObj(i -> field + "\n" + i).toList(), content.keys());
  }

  @Test
  void aRecordIsHandedOutBeforeMoreInputIsAwaited() throws Failure, IOException {
    StringBuilder events = new StringBuilder();
    InputStream slow =
        new InputStream() {
          private final String[] parts = {"a,1\n", "\"b\n", "c\",2\r\n", "d,3"};
          private int next;

          @Override
          public int read() {
            throw new AssertionError("single bytes must not be read");
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            events.append("<");
            if (next == parts.length) {
              return -1;
            }
            byte[] part = bytes(parts[next++]);
            System.arraycopy(part, 0, bytes, from, part.length);
            return part.length;
          }
        };
    CsvReader reader = reader(slow, "1", false);
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    while (reader.fill(batch)) {
      for (int i = 0; i < batch.size(); i++) {
        events.append(string(batch.key(i)));
      }
    }
    assertEquals("<a<<b\nc<<d", events.toString().replaceAll("<+$", ""));
  }
}
