package io.bloomery.cli.key;

import static io.bloomery.cli.Run.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.input.LineReader;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTest {

  @TempDir private Path folder;
  private Path file;
  private Path secret;

  @BeforeEach
  void writeSecret() throws IOException {
    file = folder.resolve("f.bloom");
    secret = secret("secret", 32);
  }

  private Path secret(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Path path = Files.write(folder.resolve(name), bytes);
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
  }

  private void create(Object... more) {
    Object[] create = {"create", "--expected=9", "--fpp=1e-5", "--variant=counting", "-o", file};
    Run run = Run.withInput("iron\n", create, more);
    assertEquals("bloomery: " + file + ": 1 lines added, at least 1 new\n", run.err());
  }

  @Test
  void everyCommandThatTakesKeysTakesTheSecret() throws IOException {
    create("--secret-file", secret);
    assertEquals("iron\n", Run.piped("iron\nx\n", "check --secret-file %s %s", secret, file).out());
    Run.piped("bloom\n", "add --secret-file %s %s", secret, file).assertEnds(ExitCode.OK);
    Run.piped("iron\n", "remove --secret-file %s %s", secret, file).assertEnds(ExitCode.OK);
    assertEquals(
        "bloom\n", Run.piped("iron\nbloom\n", "check --secret-file %s %s", secret, file).out());
    byte[] bytes = Files.readAllBytes(secret);
    assertTrue(Bloomery.strings().secret(bytes).open(file).mightContain("bloom"));
    assertFalse(Bloomery.strings().secret(bytes).open(file).mightContain("iron"));
    String id = KeyHasher.strings().secret(bytes).id();
    assertTrue(Run.of("info", file).out().contains("  hash             " + id + "\n"));
  }

  @Test
  void integersHaveSecretsToo() throws IOException {
    Run.piped("7\n", "create --integer --secret-file %s -o %s --fpp=1e-9", secret, file);
    assertEquals("7\n", Run.piped("7\n8\n", "check --secret-file %s %s", secret, file).out());
    assertTrue(Bloomery.longs().secret(Files.readAllBytes(secret)).open(file).mightContain(7L));
    assertTrue(
        Run.withInput("7\n", "check", file)
            .err()
            .contains("was made with a secret; name the file"));
  }

  @Test
  void linesLongerThanABufferHaveOneHash() throws IOException {
    String line = "x".repeat(LineReader.BUFFER + 3);
    Run.piped(line, "create --secret-file %s -o %s", secret, file);
    assertTrue(Bloomery.strings().secret(Files.readAllBytes(secret)).open(file).mightContain(line));
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "add", "remove"})
  void withoutTheRightSecretNothingIsRead(String command) throws IOException {
    create("--secret-file", secret);
    byte[] whole = Files.readAllBytes(file);
    whole[whole.length - 40] ^= 1; // the header is rejected before this is read
    Files.write(file, whole);
    Path other = secret("other", 16);
    assertFails(
        ExitCode.USAGE,
        file + " was made with a secret; name the file that holds it, as in --secret-file FILE",
        Run.withInput("iron\n", command, file));
    assertFails(
        ExitCode.USAGE,
        file + " was made with another secret; name the file that holds it by --secret-file",
        Run.piped("iron\n", "%s --secret-file %s %s", command, other, file));
    assertFails(
        ExitCode.USAGE,
        file + " was made with another secret; name the file that holds it by --secret-file",
        Run.piped("iron\n", "%s --secret-file %s --hex %s", command, other, file));
    assertArrayEquals(whole, Files.readAllBytes(file));
    create("--force");
    assertFails(
        ExitCode.USAGE,
        file + " was made without a secret; leave out --secret-file",
        Run.piped("iron\n", "%s --secret-file %s %s", command, other, file));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "15, 15", "4097, more", "100000, more"})
  void aSecretOfTheWrongLengthIsRefused(int length, String said) throws IOException {
    Path wrong = secret("wrong", length);
    assertFails(
        ExitCode.BAD_FILE,
        wrong
            + ": a secret must have from 16 to 4096 bytes, but has "
            + said
            + "; make one by 'head -c 32 /dev/urandom >FILE'",
        Run.piped("iron\n", "create --secret-file %s -o %s", wrong, file));
    assertFalse(Files.exists(file));
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 4096})
  void aSecretMayBeShortOrLong(int length) throws IOException {
    create("--secret-file", secret("another", length));
  }

  @Test
  void whatIsNoFileIsRefused() {
    Path missing = folder.resolve("missing");
    for (String command : List.of("create", "dedupe")) {
      Object output = command.equals("create") ? "--output=" + file : "--quiet";
      assertFails(
          ExitCode.BAD_FILE,
          missing + ": no such file; name the file that holds the secret",
          Run.piped("iron\n", "%s %s --secret-file %s", command, output, missing));
      assertFails(
          ExitCode.BAD_FILE,
          folder + ": is a directory; name the file that holds the secret",
          Run.piped("iron\n", "%s %s --secret-file %s", command, output, folder));
    }
    assertFalse(Files.exists(file));
  }

  @ParameterizedTest
  @CsvSource({
    "rw-r--r--, read",
    "rw-r-----, read",
    "rw----r--, read",
    "rw-----w-, change",
    "rw--w----, change",
    "rw-rw-rw-, read and change",
    "rw-r---w-, read and change"
  })
  void aSecretThatOthersMayReadOrChangeIsWarnedOf(String permissions, String verbs)
      throws IOException {
    create("--secret-file", secret);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(permissions));
    Run run = Run.of("info", "--secret-file", secret, file).assertEnds(ExitCode.OK);
    assertEquals(
        "bloomery: warning: "
            + secret
            + ": other users may "
            + verbs
            + " this secret; try 'chmod go-rw "
            + secret
            + "'\n",
        run.err());
  }

  @Test
  void theLineEndOfASecretIsNamed() throws IOException {
    create("--secret-file", secret);
    Path edited = secret("edited", 32);
    for (String lineEnd : List.of("\n", "\r\n")) {
      Files.writeString(edited, "sixteen bytes or more" + lineEnd);
      assertFails(
          ExitCode.USAGE,
          file
              + " was made with another secret; name the file that holds it by --secret-file (that"
              + " in "
              + edited
              + " ends in a line end, which is a part of it: perhaps added since)",
          Run.piped("iron\n", "check --secret-file %s %s", edited, file));
    }
    Files.writeString(edited, "hunter2\n");
    assertFails(
        ExitCode.BAD_FILE,
        edited
            + ": a secret must have from 16 to 4096 bytes, but has 8, the last of which is a line"
            + " end; make one by 'head -c 32 /dev/urandom >FILE'",
        Run.piped("iron\n", "check --secret-file %s %s", edited, file));
  }

  /** They need no secret, but compare a given one with that of the filter. */
  @Test
  void commandsThatTakeNoKeysCompareTheSecret() throws IOException {
    create("--secret-file", secret);
    Path plain = folder.resolve("plain.bloom");
    Run.piped("iron\n", "create --expected=9 -o %s", plain);
    Path other = secret("other", 16);
    Path merged = folder.resolve("merged.bloom");
    String another = " was made with another secret; name the file that holds it by --secret-file";
    String none = " was made without a secret; leave out --secret-file";

    Run.of("info", file).assertEnds(ExitCode.OK);
    Run.of("info", "--secret-file", secret, file).assertEnds(ExitCode.OK);
    assertFails(ExitCode.USAGE, file + another, Run.of("info", "--secret-file", other, file));
    assertFails(ExitCode.USAGE, plain + none, Run.of("info", "--secret-file", secret, plain));

    assertEquals(file + ": ok\n", Run.of("verify", file).out());
    Run verified = Run.command("verify --secret-file %s %s %s", secret, file, plain);
    assertEquals(file + ": ok\n" + plain + ":" + none + "\n", verified.out());
    verified.assertEnds(ExitCode.BAD_FILE);
    assertEquals(file + ":" + another + "\n", Run.of("verify", "--secret-file", other, file).out());

    assertFails(
        ExitCode.USAGE,
        file + another,
        Run.command("merge --secret-file %s -o %s %s %s", other, merged, file, file));
    assertFails(
        ExitCode.USAGE,
        plain + none,
        Run.command("merge --secret-file %s -o %s %s %s", secret, merged, file, plain));
    assertFalse(Files.exists(merged));
    Run.command("merge --secret-file %s -o %s %s %s", secret, merged, file, file)
        .assertEnds(ExitCode.OK);
    assertEquals(
        "iron\n", Run.piped("iron\nx\n", "check --secret-file %s %s", secret, merged).out());
  }

  @Test
  void verifyStillNamesDamageFirst() throws IOException {
    create("--secret-file", secret);
    byte[] whole = Files.readAllBytes(file);
    whole[whole.length - 40] ^= 1;
    Files.write(file, whole);
    String damage = Run.of("verify", file).out();
    assertEquals(damage, Run.of("verify", "--secret-file", secret("other", 16), file).out());
    assertFalse(damage.contains("secret"), damage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "merge"})
  void theSecretOfAStreamCannotBeCompared(String command) {
    Run run =
        command.equals("verify")
            ? Run.piped("", "%s --secret-file %s -", command, secret)
            : Run.piped("", "%s --secret-file %s -o %s -", command, secret, file);
    run.assertEnds(ExitCode.USAGE);
    assertTrue(
        run.err().startsWith("bloomery: FILE must not be '-', since its secret is compared"),
        run.err());
  }

  /** Whatever length the command accepts, the library must accept, and conversely. */
  @ParameterizedTest
  @ValueSource(ints = {0, 15, 16, 4096, 4097})
  void aSecretMayBeAsLongAsForPrograms(int length) throws IOException {
    byte[] bytes = Files.readAllBytes(secret("any", length));
    boolean isTaken;
    try {
      isTaken = KeyHasher.byteArrays().secret(bytes).id().contains("secret=");
    } catch (IllegalArgumentException e) {
      isTaken = false;
    }
    Run run =
        Run.piped(
            "iron\n", "create --secret-file %s -o %s --expected=9", folder.resolve("any"), file);
    assertEquals(isTaken ? ExitCode.OK : ExitCode.BAD_FILE, run.exitCode());
  }

  @Test
  void theSecretIsInNoOutputAndInNoFile() throws IOException {
    String text = "Zx81-Qu4rk-ZX80-qu3rk-Wh1sk3r-00";
    Files.writeString(secret, text);
    create("--secret-file", secret);
    StringBuilder said = new StringBuilder();
    for (Object[] arguments :
        List.of(
            new Object[] {"check", "--debug", file},
            new Object[] {"check", "--debug", "--secret-file", secret, file},
            new Object[] {"add", "--debug", "--secret-file", secret("other", 16), file},
            new Object[] {"info", "--json", file},
            new Object[] {"info", file})) {
      Run run = Run.withInput("iron\n", arguments);
      said.append(run.out()).append(run.err());
    }
    said.append(Files.readString(file, StandardCharsets.ISO_8859_1));
    assertFalse(said.toString().contains(text.substring(0, 8)));
    assertFalse(said.toString().contains(text.substring(8, 16)));
  }
}
