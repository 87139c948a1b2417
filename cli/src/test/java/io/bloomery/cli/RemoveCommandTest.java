package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.RemovableBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoveCommandTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void create() {
    file = folder.resolve("made.bloom");
    create(file, "a\nb\nb\nc\n");
  }

  private static void create(Path path, String lines) {
    Run run =
        Run.withInput(lines, "create", "--variant", "counting", "-o", path, "--expected", 20_000);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
  }

  private RemovableBloomFilter<String> open() throws IOException {
    return Bloomery.strings().openRemovable(file);
  }

  @Test
  void linesThatWerePutAreTakenBackOnceEach() throws IOException {
    Run run = Run.withInput("a\r\nb\n", "remove", file);
    assertEquals(ExitCode.OK, run.exitCode());
    assertEquals("bloomery: " + file + ": 2 lines removed, 0 were not there\n", run.err());
    assertEquals("", run.out());
    assertFalse(open().mightContain("a"));
    assertEquals(1, open().approximateCount("b"));
    assertTrue(open().mightContain("c"));
  }

  @Test
  void linesThatWereNotThereAreCountedAndTheOthersRemoved() throws IOException {
    Path names = Files.writeString(folder.resolve("names"), "x\na\ny\na\n");
    Run run = Run.withInput("c", "remove", file, names, "-");
    assertEquals(ExitCode.NONE, run.exitCode());
    assertEquals("bloomery: " + file + ": 2 lines removed, 3 were not there\n", run.err());
    assertFalse(open().mightContain("a") || open().mightContain("c"));
    assertEquals(2, open().approximateCount("b"));
  }

  @Test
  void addingAndRemovingManyLinesMakesTheFileItWas() throws IOException {
    byte[] before = Files.readAllBytes(file);
    String lines =
        IntStream.range(0, 10_000).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    assertEquals(ExitCode.OK, Run.withInput(lines, "add", file).exitCode());
    Run run = Run.withInput(lines, "remove", file);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.err().endsWith(": 10,000 lines removed, 0 were not there\n"), run.err());
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void noLinesAtAllAreAllRemoved() {
    Run run = Run.withInput("", "remove", file);
    assertEquals(ExitCode.OK, run.exitCode());
    assertEquals("bloomery: " + file + ": 0 lines removed, 0 were not there\n", run.err());
  }

  @Test
  void aFilterThatCannotRemoveIsRefusedBeforeAnyInputIsRead() throws IOException {
    for (String variant : new String[] {"standard", "scalable"}) {
      Run.withInput("a", "create", "--variant", variant, "--force", "-o", file, "--expected", 9);
      byte[] before = Files.readAllBytes(file);
      Run run = Run.with(new CutCable(), Bloomery::installed, "remove", file);
      assertEquals(ExitCode.USAGE, run.exitCode());
      assertEquals(
          "bloomery: "
              + file
              + " must be of a variant that can remove, but is '"
              + variant
              + "'; make it with 'bloomery create --variant counting'\n",
          run.err());
      assertArrayEquals(before, Files.readAllBytes(file));
    }
  }

  @Test
  void aFailingInputLeavesTheOldFile() throws IOException {
    byte[] before = Files.readAllBytes(file);
    InputStream failing =
        new SequenceInputStream(new ByteArrayInputStream(new byte[] {'a', '\n'}), new CutCable());
    Run run = Run.with(failing, Bloomery::installed, "remove", file);
    assertEquals(ExitCode.BAD_FILE, run.exitCode());
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void theHelpSaysWhatMayBeRemovedAndWhatTheExitCodesMean() {
    Run run = Run.of("remove", "--help");
    assertTrue(run.out().contains("\nRemove only what was added: "), run.out());
    assertTrue(run.out().contains("\n  1   some lines were not there"), run.out());
  }
}
