package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerTest {

  @Provide
  static Arbitrary<Container> tables() {
    Arbitrary<Character> delimiters =
        Arbitraries.chars()
            .ascii()
            .filter(TableFormat::isDelimiter)
            .edgeCases(e -> e.add(',', '\t'));
    Arbitrary<String> names =
        Arbitraries.strings()
            .withChars("a7 =\"\\u,;\t\n\u0085\u00e4\u2028\ud83d\ude00\ud800")
            .ofMaxLength(12);
    Arbitrary<List<KeyColumn>> columns =
        Arbitraries.oneOf(
                names.map(KeyColumn::named),
                Arbitraries.integers()
                    .greaterOrEqual(1)
                    .map(number -> new KeyColumn(number - 1, Integer.toString(number))))
            .list()
            .ofMinSize(1)
            .ofMaxSize(4);
    Arbitrary<Boolean> headers = Arbitraries.of(true, false);
    return Arbitraries.oneOf(
            Combinators.combine(columns, delimiters, headers).as(TableFormat::csv),
            Combinators.combine(columns, headers).as(TableFormat::tsv))
        .map(Container::of);
  }

  @Property(tries = 5_000, seed = "1")
  void whatIsRecordedIsReadBackWhateverTheColumnIsCalled(@ForAll("tables") Container table) {
    String text = table.toString();
    assertEquals(Optional.of(table), ContainerText.parse(text), text);
    // Allowed in a filter, which rejects control characters and lone surrogates.
    FilterSpec spec = FilterSpec.of(1, 0.5).withAttributes(Map.of("a", text));
    assertEquals(text, spec.attributes().get("a"));
  }

  @Property(tries = 5_000, seed = "2")
  void whateverIsRecordedIsUnderstoodAsWrittenOrNotAtAll(
      @ForAll("tables") Container table, @ForAll int place, @ForAll char c) {
    StringBuilder text = new StringBuilder(table.toString());
    text.setCharAt(Math.floorMod(place, text.length()), c);
    Optional<Container> read = ContainerText.parse(text.toString());
    assertTrue(read.isEmpty() || read.get().toString().contentEquals(text), text.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "null",
        "csv column=2",
        "csv column=2 header",
        "csv column=\"e-mail\"",
        "csv column=\"e-mail\" delimiter=\";\"",
        "csv column=\"a \\\"b\\\" = c\\\\d\"",
        "csv column=\"7\"",
        "csv column=1 delimiter=\" \"",
        "csv column=\"a\\u0009b\" delimiter=\"\\u0001\"",
        "csv column=1 delimiter=\"\\u0009\"",
        "tsv column=1",
        "tsv column=\"\"",
      })
  void theFormIsStable(String text) {
    assertEquals(text, ContainerText.parse(text).orElseThrow().toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "lines",
        "nul",
        "null ",
        "csv",
        "csv column=",
        "csv column=0",
        "csv column=01",
        "csv column=-1",
        "csv column=2147483648",
        "csv column=99999999999999999999",
        "csv column=a",
        "csv column=\"a",
        "csv column=\"a\\\"",
        "csv column=\"a\"b\"",
        "csv column=\"a\" header",
        "csv column=1  header",
        "csv column=1 delimiter=\",\"",
        "csv column=1 delimiter=\"\"",
        "csv column=1 delimiter=\";;\"",
        "csv column=1 delimiter=\"\\\"\"",
        "csv column=1 delimiter=\"\\u000a\"",
        "csv column=1 delimiter=\"\\u003b\"",
        "csv column=1 delimiter=\"\u00e4\"",
        "csv column=\"\\a\"",
        "csv column=\"\\u12\"",
        "tsv column=1 delimiter=\",\"",
        "csv column=1 delimiter=\";\" header",
        "CSV column=1",
        "parquet column=1",
      })
  void everythingElseIsUnknown(String text) {
    assertEquals(Optional.empty(), ContainerText.parse(text));
  }
}
