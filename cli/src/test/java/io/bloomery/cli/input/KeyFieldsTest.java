package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks keys of several columns. */
class KeyFieldsTest {

  @TempDir private Path folder;
  private Path file;
  private Path table;

  @BeforeEach
  void namePaths() throws IOException {
    file = folder.resolve("made.bloom");
    table = folder.resolve("table");
  }

  private void create(Object... options) {
    Run.of("create", "--force", "--fpp=1e-9", "-o", file, options, table).assertEnds(ExitCode.OK);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static KeyHasher<List<String>> hasher(int fields) {
    return KeyHasher.fields(
        IntStream.range(0, fields)
            .mapToObj(i -> KeyHasher.strings().compose((List<String> key) -> key.get(i)))
            .toArray(KeyHasher[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--csv", "--tsv"})
  void theColumnsAreTheFieldsOfAProgramsKeys(String kind) throws IOException {
    Random random = new Random(55);
    for (int trial = 0; trial < 20; trial++) {
      int columns = 2 + random.nextInt(5);
      int fields = 2 + random.nextInt(15);
      int[] order = IntStream.range(0, fields).map(i -> random.nextInt(columns)).toArray();
      boolean isNamed = random.nextBoolean();
      List<List<String>> rows = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      String between = kind.equals("--csv") ? "," : "\t";
      if (isNamed) {
        text.append(
            String.join(
                between,
                IntStream.range(0, columns)
                    .mapToObj(i -> kind.equals("--csv") ? "\"c,\"\"" + i + "\"" : "c," + i)
                    .toList()));
        text.append('\n');
      }
      for (int row = 0; row < 20; row++) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
          cells.add("\u00e4".repeat(random.nextInt(3)) + (random.nextBoolean() ? i : row));
        }
        text.append(String.join(between, cells)).append(random.nextBoolean() ? "\n" : "\r\n");
        rows.add(IntStream.of(order).mapToObj(cells::get).toList());
      }
      Files.writeString(table, text);
      List<Object> options = new ArrayList<>();
      for (int i = 0; i < fields; i++) {
        options.add(i == 0 ? kind : "--and-column");
        String name = (kind.equals("--csv") ? "c,\"" : "c,") + order[i];
        options.add(isNamed ? name : Integer.toString(order[i] + 1));
      }
      create(options.toArray());
      BloomFilter<List<String>> filter = Bloomery.of(hasher(fields)).open(file);
      assertTrue(rows.stream().allMatch(filter::mightContain), text.toString());
      assertEquals(
          text.toString(), Run.of("check", file, table).out().replace("\u00c3\u00a4", "\u00e4"));
      Run.of("add", file, table).assertEnds(ExitCode.OK);
    }
  }

  @Test
  void aFilterOfAProgramIsAskedByColumns() throws IOException {
    byte[] secret = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    Path secretFile = Files.write(folder.resolve("secret"), secret);
    for (boolean isSecret : new boolean[] {false, true}) {
      KeyHasher<List<String>> hasher = hasher(2);
      BloomFilter<List<String>> filter =
          Bloomery.of(isSecret ? hasher.secret(secret) : hasher).expect(9).fpp(1e-9).create();
      filter.put(List.of("ab", "c"));
      filter.save(file);
      Files.writeString(table, "ab;x;c\na;x;bc\nc;x;ab\n");
      List<Object> check =
          new ArrayList<>(
              List.of("check", "--csv=1", "--and-column=3", "--delimiter=;", file, table));
      if (isSecret) {
        check.add("--secret-file=" + secretFile);
      }
      assertEquals("ab;x;c\n", Run.of(check.toArray()).out());
      check.add("--json");
      assertTrue(Run.of(check.toArray()).out().contains("\"key\":[\"ab\",\"c\"]"));
      check.remove("--and-column=3");
      Run.of(check.toArray())
          .assertEnds(ExitCode.USAGE, "holds keys of 2 fields, but the columns are 1;");
    }
  }

  @Test
  void oneNameWithACommaStaysOneColumn() throws IOException {
    Files.writeString(table, "\"id,email\",id,email\n1,2,3\n");
    create("--csv", "id,email");
    assertTrue(Bloomery.strings().open(file).mightContain("1"));
    create("--csv", "id", "--and-column", "id,email");
    assertTrue(Bloomery.of(hasher(2)).open(file).mightContain(List.of("2", "1")));
    String recorded = "csv column=\"id\" column=\"id,email\"";
    assertTrue(Run.of("info", file).out().contains(recorded));
    Run.command("check --csv id --and-column x %s %s", file, table)
        .assertEnds(ExitCode.BAD_FILE, "has no column 'x' in its first line");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--trim", "--ignore-case", "--upper-case", "--hex", "--base64", "--integer"})
  void formsOfFieldsAreRefused(String form) throws IOException {
    Files.writeString(table, "1,2\n");
    Run.command("create -o %s --csv=1 --and-column=2 %s %s", file, form, table)
        .assertEnds(ExitCode.USAGE, "exclude each other, since a form is one of whole keys");
    assertFalse(Files.exists(file));
    create("--csv=1", "--and-column=2");
    Run.of("check", form, file, table).assertEnds(ExitCode.USAGE);
  }

  @Test
  void whatHasNoFieldsSaysSo() throws IOException {
    Files.writeString(table, "1,2\n");
    create("--csv=1");
    Run more = Run.command("check --csv=1 --and-column=2 %s %s", file, table);
    assertTrue(more.err().contains("holds keys of 1 field, but the columns are 2"), more.err());
    Run lines = Run.command("create -o %s --and-column=2 %s", folder.resolve("x"), table);
    assertTrue(lines.err().contains("say which one is the first"), lines.err());
    Run foreign =
        Run.command(
            "create -o %s --format=guava --encoding=utf-8 --csv=1 --and-column=2 %s",
            folder.resolve("x"), table);
    assertTrue(foreign.err().contains("--and-column and --format exclude each other"));
    List<Object> many = new ArrayList<>(List.of("create", "-o", folder.resolve("x"), "--csv=1"));
    many.addAll(Collections.nCopies(16, "--and-column=2"));
    many.add(table);
    assertTrue(Run.of(many.toArray()).err().contains("at most 16 columns, but has 17"));
    Run dedupe = Run.withInput("a,b,1\na,c,2\na,b,3\n", "dedupe", "--csv=1", "--and-column=2");
    assertEquals("a,b,1\na,c,2\n", dedupe.out());
  }
}
