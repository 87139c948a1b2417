package io.bloomery.cli;

import static io.bloomery.cli.Run.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that every error is reported in one line with a remedy, and the exit code. */
class BadInputTest {

  @TempDir private Path folder;
  private Path file;
  private Path words;

  @BeforeEach
  void create() throws IOException {
    file = folder.resolve("made.bloom");
    words = Files.writeString(folder.resolve("words"), "a\nb\n");
    Run.of("create", "-o", file, words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "creat                    | unknown command 'creat'; did you mean 'create'?",
        "x                        | unknown command 'x'; try 'bloomery --help'",
        "--jsn                    | unknown option '--jsn'; try 'bloomery --help'",
        "conf                     | unknown command 'conf'; did you mean 'conformance'?",
        "chekc                    | unknown command 'chekc'; did you mean 'check'?",
        "delete                   | unknown command 'delete'; try 'bloomery --help'",
        "insert                   | unknown command 'insert'; try 'bloomery --help'",
        "info --verbose f         | unknown option '--verbose'; try 'bloomery info --help'",
        "info --jsn f             | unknown option '--jsn'; did you mean '--json'?",
        "create -o f --rate 1     | unknown option '--rate'; did you mean '--fpp'?",
        "dedupe --error-rate=0.1  | unknown option '--error-rate=0.1'; did you mean '--fpp'?",
        "size --rate 0.1          | unknown option '--rate'; did you mean '--fpp'?",
        "compare -p 0.1           | unknown option '-p'; did you mean '--fpp'?",
        "create -o f --capacity 9 | unknown option '--capacity'; did you mean '--expected'?",
        "create -o f --keys 9     | unknown option '--keys'; did you mean '--expected'?",
        "plot --capacity 9        | unknown option '--capacity'; did you mean '--keys'?",
        "size --expected 9        | unknown option '--expected'; did you mean '--keys'?",
        "dedupe --memory 9        | unknown option '--memory'; did you mean '--max-bytes'?",
        "info --rate f            | unknown option '--rate'; try 'bloomery info --help'",
        "info f g                 | one argument too many: 'g'; try 'bloomery info --help'",
        "check                    | missing required parameter: 'FILE';"
            + " try 'bloomery check --help'",
        "verify                   | missing required parameter: 'FILE';"
            + " try 'bloomery verify --help'",
        "overlap f                | missing required parameter: 'SECOND';"
            + " try 'bloomery overlap --help'",
        "create words             | missing required option: '--output=FILE';"
            + " try 'bloomery create --help'",
        "create -o f --fpp 1%     | invalid value for option '--fpp': must be a plain number, but"
            + " was '1%'; for 1 % write 0.01; try 'bloomery create --help'",
        "create -o f --expected 1X| invalid value for option '--expected': must be a whole number,"
            + " but was '1X'; for a million write 1000000 or 1M; try 'bloomery create --help'",
      })
  void argumentsThatAreNotUnderstoodSayHowToGoOn(String arguments, String message) {
    assertFails(ExitCode.USAGE, message, Run.of((Object[]) arguments.strip().split(" +")));
  }

  @Test
  void noCommandAtAllShowsTheHelpAsAnError() {
    Run run = Run.of().assertEnds(ExitCode.USAGE);
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("Usage: bloomery"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--fpp 1.5               | rate must be between 0 and 1 (exclusive), but was 1.5; for 1.5 %"
            + " write 0.015",
        "--fpp 0                 | rate must be between 0 and 1 (exclusive), but was 0.0",
        "--fpp NaN               | rate must be between 0 and 1 (exclusive), but was NaN",
        "--fpp 1                 | rate must be between 0 and 1 (exclusive), but was 1.0; for 1.0 %"
            + " write 0.01",
        "--expected 0            | expected keys must be at least 1, but was 0",
        "--expected -5           | expected keys must be at least 1, but was -5",
        "--variant standrad      | no provider for variant 'standrad'; installed: standard; did you"
            + " mean 'standard'?",
      })
  void numbersOutOfRangeSayTheRange(String options, String message) {
    Path other = folder.resolve("other.bloom");
    Run run =
        Run.with(
            InputStream.nullInputStream(),
            // Other variants would change the messages.
            () -> Bloomery.with(Bloomery.installed().providers().get("standard")),
            "create",
            "-o",
            other,
            options.split(" "),
            words);
    assertFails(ExitCode.USAGE, message, run);
    assertFalse(Files.exists(other));
  }

  @Test
  void aRateBelowWhatHashesAllowSaysTheLowest() {
    Run run = Run.command("create -o %s --fpp 1e-19 %s", folder.resolve("x"), words);
    assertFails(
        ExitCode.USAGE,
        "rate must be at least "
            + FilterSpec.lowestRate(2)
            + " for 2 keys, since 64-bit hashes of different keys are sometimes equal, but was "
            + 1e-19
            + "; for a lower one ask two filters, whose hashers have different seeds"
            + " (KeyHasher.withSeed), for each key: the rate of both is the product of theirs",
        run);
  }

  @Test
  void moreKeysThanTheHeapHoldsAreRefusedWithTheBytesNeeded() {
    Run run =
        Run.command("create -o %s --expected 10000000000 %s", folder.resolve("x"), words)
            .assertEnds(ExitCode.USAGE);
    assertTrue(run.err().startsWith("bloomery: the heap must have room for a table of "));
    assertTrue(run.err().endsWith("; raise -Xmx, or ask for fewer keys or a higher rate\n"));
    assertEquals(1, run.err().lines().count());
  }

  @ParameterizedTest
  @CsvSource({"create, words", "merge, made.bloom"})
  void placesThatCannotTakeAFilterAreRefusedFirst(String command, String source) {
    Path nowhere = folder.resolve("nowhere");
    assertFails(
        ExitCode.USAGE,
        folder + " is a directory; name a file in it",
        Run.of(command, "--force", "-o", folder, folder.resolve(source)));
    assertFails(
        ExitCode.USAGE,
        nowhere + " is not a directory; make it first",
        Run.of(command, "-o", nowhere.resolve("x.bloom"), folder.resolve(source)));
  }

  @Test
  void inputsOfCreateThatCannotBeReadAreRefusedFirst() {
    Path missing = folder.resolve("missing");
    assertFails(
        ExitCode.BAD_FILE,
        missing + ": no such file; name a file of lines, or - for a pipe",
        Run.of("create", "-o", folder.resolve("x"), missing));
    assertFalse(Files.exists(folder.resolve("x")));
  }

  static List<String> commandsWithInputs() {
    return List.of("add", "remove", "check");
  }

  @ParameterizedTest
  @MethodSource("commandsWithInputs")
  void inputsThatCannotBeReadAreRefusedFirst(String command) throws IOException {
    byte[] before = Files.readAllBytes(file);
    Path missing = folder.resolve("missing");
    assertFails(
        ExitCode.BAD_FILE,
        missing + ": no such file; name a file of lines, or - for a pipe",
        Run.of(command, file, words, missing));
    assertFails(
        ExitCode.BAD_FILE,
        folder + ": is a directory; name the files in it",
        Run.of(command, file, words, folder));
    assertTrue(Arrays.equals(before, Files.readAllBytes(file)));
  }

  @ParameterizedTest
  @MethodSource("commandsWithInputs")
  void filesThatAreNoFiltersAreRefused(String command) throws IOException {
    Path missing = folder.resolve("missing");
    assertFails(
        ExitCode.BAD_FILE,
        missing + ": no such file; name one that 'bloomery create' made",
        Run.of(command, missing));
    assertFails(
        ExitCode.BAD_FILE,
        folder + ": is a directory, not a filter; name the files in it",
        Run.of(command, folder));
    Path foreign = Files.writeString(folder.resolve("foreign"), "some text of another program");
    assertFails(
        ExitCode.BAD_FILE,
        foreign
            + ": byte 0: not a Bloomery filter: it must start with 'BLOOMERY'; name one that"
            + " 'bloomery create' made, or the system that made it, as in --format cassandra-4 of"
            + " info, check, verify, add and convert",
        Run.of(command, foreign));
  }

  @ParameterizedTest
  @MethodSource("commandsWithInputs")
  void damagedFiltersAreRefusedAndStayAsTheyAre(String command) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    byte[] cut = Arrays.copyOf(whole, 150);
    Files.write(file, cut);
    assertFails(
        ExitCode.BAD_FILE,
        file
            + ": byte 150: ends here, but must have "
            + whole.length
            + " bytes; restore it from a copy, or create it again",
        Run.of(command, file, words));
    assertTrue(Arrays.equals(cut, Files.readAllBytes(file)));
  }

  @ParameterizedTest
  @MethodSource("commandsWithInputs")
  void filtersOfOtherKindsOfKeysAreRefused(String command) throws IOException {
    Path uuids = folder.resolve("uuids.bloom");
    Bloomery.uuids().expect(10).create().save(uuids);
    assertFails(
        ExitCode.BAD_FILE,
        uuids
            + ": must hold lines or integers, hashed as xxh3-64/utf8 or splitmix64/i64, but holds"
            + " keys hashed as xxh3-64/uuid; use it from a program that has such keys",
        Run.of(command, uuids, words));
  }

  /** Runs a command which a variant ends where it is loaded. */
  private Run whereLoadingThrows(Error thrown) {
    return Run.with(
        InputStream.nullInputStream(),
        () -> {
          throw thrown;
        },
        "info",
        file);
  }

  @Test
  void tooLittleMemoryIsSaidInOneLine() {
    assertFails(
        ExitCode.BAD_FILE,
        "there is not enough memory; give Java more, as in JAVA_OPTS=-Xmx4g bloomery ...",
        whereLoadingThrows(new OutOfMemoryError("Java heap space")));
  }

  @Test
  void aFaultOfTheProgramIsSaidInOneLineToo() {
    Run run =
        Run.with(
            InputStream.nullInputStream(),
            () -> {
              throw new IllegalStateException("first\nsecond");
            },
            "info",
            file);
    run.assertEnds(ExitCode.FAULT);
    assertTrue(
        run.err()
            .matches(
                "bloomery: fault in bloomery: java.lang.IllegalStateException: first at \\S+;"
                    + " please report it with the command that you ran and what --debug adds\n"),
        run.err());
  }

  /** One that is not caught ends the JVM with 1, an answer of {@code check}. */
  @Test
  void anErrorOfTheJvmIsAFaultAndNoAnswer() {
    whereLoadingThrows(new StackOverflowError())
        .assertEnds(ExitCode.FAULT, "bloomery: fault in bloomery: java.lang.StackOverflowError");
  }

  @Test
  void aVariantThatCannotBeLoadedIsNamed() {
    for (Error error :
        List.of(
            new ServiceConfigurationError("acme.Acme not found"),
            new NoClassDefFoundError("acme.Acme not found"))) {
      Run run = whereLoadingThrows(error).assertEnds(ExitCode.USAGE);
      assertTrue(
          run.err()
              .matches(
                  "bloomery: a variant cannot be loaded: .*acme.Acme not found; take it out of"
                      + " BLOOMERY_PATH, or get one made for this version\n"),
          run.err());
    }
  }

  @Test
  void twoVariantsOfOneNameAreNamed() {
    SetVariant one = new SetVariant(SetVariant.Fault.NONE);
    Run run =
        Run.with(InputStream.nullInputStream(), () -> Bloomery.with(one, one), "info", file)
            .assertEnds(ExitCode.USAGE);
    assertTrue(
        run.err().startsWith("bloomery: each variant must have one provider, but 'set' has "),
        run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void theVersionGoesToTheOutput() {
    Run version = Run.of("--version").assertEnds(ExitCode.OK);
    assertTrue(version.out().matches("bloomery \\d\\S+ on Java \\d+\n"), version.out());
    assertEquals("", version.err());
  }

  @Test
  void emptyNamesAreRefused() {
    Path other = folder.resolve("other");
    for (Run run :
        List.of(
            Run.of("check", file, "--also", "", words),
            Run.of("check", "", words),
            Run.of("check", file, ""),
            Run.of("info", ""),
            Run.of("merge", "-o", other, file, ""),
            Run.of("create", "--variant", "fuse", "--temporary-directory", "", "-o", other, words),
            Run.of("create", "-o", "", words))) {
      run.assertEnds(ExitCode.USAGE, "must not be empty");
    }
    assertFalse(Files.exists(other));
  }
}
