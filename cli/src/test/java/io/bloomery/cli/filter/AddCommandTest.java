package io.bloomery.cli.filter;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.CutCable;
import io.bloomery.cli.PronounceableWords;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddCommandTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void create() {
    file = folder.resolve("made.bloom");
    Run.piped("old\n", "create -o %s --expected 100", file).assertEnds(0);
  }

  @Test
  void newLinesJoinTheOldOnes() throws IOException {
    Run run = Run.withInput("new\r\nold\n", "add", file).assertEnds(ExitCode.OK);
    assertEquals("bloomery: " + file + ": 2 lines added, at least 1 new\n", run.err());
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertTrue(filter.mightContain("old") && filter.mightContain("new"));
    assertEquals(100, filter.spec().expectedKeys());
  }

  @Test
  void addingInTwoStepsMakesTheSameFileAsCreatingInOne() throws IOException {
    Path whole = folder.resolve("whole.bloom");
    Run.piped("old\n" + lines(0, 50), "create -o %s --expected 100", whole);
    Run.withInput(lines(0, 50), "add", file, "-");
    assertArrayEquals(Files.readAllBytes(whole), Files.readAllBytes(file));
  }

  @Test
  void moreKeysThanExpectedAreSaidToRaiseTheRate() {
    Run run =
        Run.withInput(lines(0, 400), "add", file)
            .assertEnds(
                ExitCode.OUTGROWN, "warning: " + file + " expects 100 keys but holds about ");
    assertTrue(run.err().endsWith(" instead of 0.01; create a larger one\n"), run.err());
  }

  @Test
  void whoWantsQuietHearsOfAFilterThatIsTooSmall() throws IOException {
    Run run = Run.withInput(lines(0, 400), "add", "-q", file).assertEnds(ExitCode.OUTGROWN);
    assertTrue(
        run.err().startsWith("bloomery: warning: " + file + " expects 100 keys but holds about "),
        run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(
        Bloomery.strings().open(file).mightContain(PronounceableWords.at(399)),
        "it is saved all the same");
    Run again = Run.withInput("one more\n", "add", "--json", file).assertEnds(ExitCode.OUTGROWN);
    assertEquals(true, again.json().get("outgrown"));
  }

  @Test
  void aFailingInputLeavesTheOldFile() throws IOException {
    byte[] before = Files.readAllBytes(file);
    Run.reading(CutCable.after("a\nb"), "add", file).assertEnds(ExitCode.BAD_FILE);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  /** A name of another filter would not help. */
  @Test
  void whatTheSystemRefusesIsAnsweredByWhatHelps() {
    for (IOException refused :
        List.of(
            new FileSystemException(file + "", null, "No space left on device"),
            new FileSystemException(file + "", null, "Disk quota exceeded"),
            new AccessDeniedException(file + ""))) {
      String message = Failure.reading(file, refused).getMessage();
      assertTrue(
          message.contains(
              refused instanceof AccessDeniedException
                  ? "permission denied; see that you may read it"
                  : "; make room on its disk"),
          message);
      assertFalse(message.contains("bloomery create"), message);
    }
  }

  @Test
  void aFilterThatIsBuiltOnceIsRefusedBeforeAnyInputIsRead() throws IOException {
    Path built = folder.resolve("built.bloom");
    Run.piped("a\n", "create --variant fuse -o %s", built);
    byte[] before = Files.readAllBytes(built);
    // The content is not read.
    byte[] damaged = before.clone();
    damaged[damaged.length - 1] ^= 1;
    Files.write(built, damaged);
    Run add = Run.reading(new CutCable(), "add", built);
    Run push = Run.of("push", built, "redis://localhost:1/0?filter=built");
    for (Run run : List.of(add, push)) {
      run.assertEnds(ExitCode.USAGE, "lines are added to, but is 'fuse'", "bloomery create");
    }
    assertArrayEquals(damaged, Files.readAllBytes(built));
  }
}
