package io.bloomery.cli.input;

import static io.bloomery.cli.input.ReadLines.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.InChunks;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks the reader against a model that splits the whole text at once. */
class TsvReaderTest {

  private static TsvReader reader(InputStream in, TableFormat format) {
    return new TsvReader("table", in, format, KeySyntax.PLAIN, LineLimit.DEFAULT);
  }

  private static ReadLines read(String text, TableFormat format) throws Failure, IOException {
    return ReadLines.of(reader(new ByteArrayInputStream(bytes(text)), format));
  }

  /** Text that mostly consists of characters with a meaning in tables, here or elsewhere. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("\n\n\t\t\"\"a,\\\r\u00ff").ofMaxLength(24);
  }

  @Property(tries = 5_000, seed = "1")
  void aColumnIsWhatStandsBetweenTabsWhereverTheReadsEnd(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 2) int column,
      @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws Failure, IOException {
    TableFormat format = TableFormat.tsv(List.of(KeyColumn.of(Integer.toString(column))), false);
    TsvReader reader = reader(new InChunks(bytes(text), chunk), format);
    List<String> keys = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    StringBuilder printed = new StringBuilder();
    boolean isTable = text.contains("\n") || !text.contains("\r");
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      boolean ended = i < lines.length - 1;
      String line =
          ended && lines[i].endsWith("\r")
              ? lines[i].substring(0, lines[i].length() - 1)
              : lines[i];
      String[] fields = line.split("\t", -1);
      if (!line.isEmpty()) {
        isTable &= fields.length >= column;
        keys.add(fields[Math.min(column, fields.length) - 1]);
        numbers.add(i + 1L);
        printed.append(lines[i]).append('\n');
      }
    }
    if (!isTable) {
      assertThrows(Exception.class, () -> ReadLines.of(reader), text);
      return;
    }
    ReadLines content = ReadLines.of(reader);
    assertEquals(keys, content.keys(), text);
    assertEquals(numbers, content.numbers(), text);
    assertEquals(printed.toString(), content.lines(), text);
    assertEquals(
        keys.size(),
        reader(new InChunks(bytes(text), chunk), format).count(new MalformedLines(false)));
  }

  @Test
  void quotesAreCharactersAsAnyOther() throws Failure, IOException {
    String text = "id\tname\n1\t\"C\": lib\n\n2\ta \"b\" \"\"c\n3\t\"open\r\n4\t'\\t'\n";
    ReadLines content = read(text, TableFormat.tsv(List.of(KeyColumn.of("name")), false));
    assertEquals(List.of("\"C\": lib", "a \"b\" \"\"c", "\"open", "'\\t'"), content.keys());
    assertEquals(List.of(2L, 4L, 5L, 6L), content.numbers());
    assertEquals("id\tname\n", content.header());
    assertEquals(text.replace("\n\n", "\n").substring(8), content.lines());
  }

  @Test
  void aColumnIsFoundByItsNameOrNumber() throws Failure, IOException {
    String text = "id\te-mail\t\"x\"\r\n1\ta@x.org\ty\r\n2\t\tz";
    assertEquals(
        List.of("a@x.org", ""),
        read(text, TableFormat.tsv(List.of(KeyColumn.of("e-mail")), false)).keys());
    assertEquals(
        List.of("y", "z"),
        read(text, TableFormat.tsv(List.of(KeyColumn.of("\"x\"")), false)).keys());
    assertEquals(
        List.of("1", "2"), read(text, TableFormat.tsv(List.of(KeyColumn.of("1")), true)).keys());
    assertEquals(
        List.of("id", "1", "2"),
        read(text, TableFormat.tsv(List.of(KeyColumn.of("1")), false)).keys());
    assertEquals(
        List.of("x"),
        ReadLines.of(
                reader(
                    new ByteArrayInputStream("gr\u00fcn\nx\n".getBytes(StandardCharsets.UTF_8)),
                    TableFormat.tsv(List.of(KeyColumn.of("gr\u00fcn")), false)))
            .keys());
  }

  @Test
  void aColumnThatIsNotThereSaysWhichAre() throws Failure {
    assertFails("has no column 'mail' in its first line, but 'id', 'name'; ", "id\tname\n", "mail");
    assertFails("has no column 'mail' in its first line, but no columns; ", "\n\n", "mail");
    assertFails("has more than one column 'x'; ", "x\ty\tx\n1\t2\t3\n", "x");
    assertFails("line 3: a record must have column 3, but has 2; ", "1\t2\t3\n\n1\t2\n", "3");
  }

  private static void assertFails(String message, String text, String column) throws Failure {
    TableFormat format = TableFormat.tsv(List.of(KeyColumn.of(column)), false);
    Failure failure = assertThrows(Failure.class, () -> read(text, format));
    assertTrue(failure.getMessage().startsWith("table: " + message), failure.getMessage());
  }

  @Test
  void linesFarLongerThanTheBufferComeWhole() throws Failure, IOException {
    String field = "x".repeat(3 * LineReader.BUFFER);
    String text = field + "\ta\nb\t" + field + "\n";
    assertEquals(
        List.of("a", field), read(text, TableFormat.tsv(List.of(KeyColumn.of("2")), false)).keys());
    assertEquals(text, read(text, TableFormat.tsv(List.of(KeyColumn.of("1")), false)).lines());
  }
}
