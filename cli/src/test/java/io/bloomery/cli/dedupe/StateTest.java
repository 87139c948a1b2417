package io.bloomery.cli.dedupe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.LiveBloomFilter;
import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.window.SlidingBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What dedupe prints in several runs with one state. */
class StateTest {

  @TempDir private Path folder;
  private Path state;
  private Path pending;

  @BeforeEach
  void name() {
    state = folder.resolve("seen.bloom");
    pending = folder.resolve(".seen.bloom.bloomery.pending");
  }

  private Run dedupe(String lines, String options) {
    return Run.piped(lines, "dedupe --state %s " + options, state);
  }

  private static void assertPrints(String lines, Run run) {
    run.assertEnds(ExitCode.OK);
    assertEquals(lines, run.out());
  }

  @Test
  void aLaterRunPrintsWhatNoEarlierOneHas() throws IOException {
    assertPrints("a\nb\n", dedupe("a\nb\na", "--expected 1000"));
    // What was the last line of an earlier run has an end.
    assertPrints("c\nd\n", dedupe("c\na\nd", ""));
    assertPrints("", dedupe("d\nc\nb\na", "--expected 1k --fpp 0.000001 --max-bytes 1MiB"));
    assertFalse(Files.exists(pending));
    assertPrints("state: ok\n".replace("state", state + ""), Run.of("verify", state));
    assertTrue(dedupe("a\nx\n", "--json").err().matches("(?s).*\"new\" *: *1,.*"));
    try (LiveBloomFilter<String> live = Bloomery.strings().openLive(state)) {
      assertTrue(live.put("in a program"));
    }
    assertPrints("", dedupe("in a program\n", "-q"));
  }

  @Test
  void keysAreReadAsTheFirstRunReadThem() throws IOException {
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "0123456789abcdef");
    String table = "id,n\nA,1\nb,2\na,3\n";
    assertPrints(
        "id,n\nA,1\nb,2\n",
        dedupe(table, "--expected 10 --csv id --ignore-case --secret-file " + secret));
    assertPrints("id,n\nc,1\n", dedupe("id,n\nB,1\nc,1\n", "--secret-file " + secret));
    dedupe(table, "").assertEnds(ExitCode.USAGE, "was made with a secret");
  }

  /** A pipe has no end, for which a command would wait. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aPipeIsRefused() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (String[] command :
        new String[][] {
          {"dedupe", "--expected", "10", "--state", pipe.toString()}, {"add", pipe.toString()}
        }) {
      assertTimeoutPreemptively(Duration.ofMinutes(2), () -> Run.of((Object[]) command))
          .assertEnds(ExitCode.BAD_FILE, "regular file");
    }
  }

  @Test
  void aHeaderIsPrintedOnceIntoAFile() throws IOException {
    Path out = folder.resolve("out");
    run(out, Long.MAX_VALUE, "id,n\na,1\n", "--expected", "10", "--csv", "id");
    run(out, Long.MAX_VALUE, "id,n\na,1\nb,2", "--csv", "id");
    assertEquals("id,n\na,1\nb,2\n", Files.readString(out));
  }

  @Test
  void whatContradictsTheFileIsRefusedByName() throws IOException {
    Run.assertFails(
        ExitCode.USAGE,
        state
            + " is made now, for a number of lines in all runs; say how many, as in --expected 10M",
        dedupe("a\n", ""));
    dedupe("a\n", "--expected 1000 --fpp 0.001");
    for (String options :
        List.of(
            "--expected 1001",
            "--fpp 0.01",
            "--max-bytes 10",
            "--trim",
            "--window 10",
            "--for 1h",
            "--since-printed",
            "--wait -1")) {
      Run run = dedupe("b\n", options);
      assertEquals(ExitCode.USAGE, run.exitCode(), options + run.err());
      assertTrue(
          run.err().contains(options.replaceFirst(" .*", "").replace("--trim", "trim")), run.err());
      assertEquals("", run.out());
    }
    Run.piped("a\n", "dedupe --wait 1").assertEnds(ExitCode.USAGE);
    Path other = folder.resolve("other");
    Files.writeString(other, "lines\n");
    Run.piped("a\n", "dedupe --state %s --expected 10", other)
        .assertEnds(
            ExitCode.BAD_FILE,
            "must be a live filter or window, but is no",
            "'bloomery create --live'");
    assertEquals("lines\n", Files.readString(other));
    Run.piped("b\n", "create --force --expected 10 -o %s", other);
    Run saved = Run.piped("a\n", "dedupe --state %s", other);
    assertTrue(saved.err().contains("is a saved one"), saved.err());
    assertTrue(saved.err().contains("'bloomery create --live'"), saved.err());
    SlidingBloomFilter<String> window =
        SlidingBloomFilter.builder(Bloomery.strings().expect(10).fpp(0.01)).create();
    window.save(other);
    for (String command : List.of("dedupe --state %s", "dedupe --window 10 --state %s")) {
      Run kept = Run.piped("a\n", command, other);
      assertTrue(kept.err().contains("is a saved one"), kept.err());
    }
    Path live = folder.resolve("live");
    Run.piped("a\n", "dedupe --window 10 --state %s", live);
    for (Path file : List.of(other, live)) {
      for (String command : List.of("check %s", "add %s", "merge -o new %s")) {
        Run.piped("a\n", command, file)
            .assertEnds(ExitCode.BAD_FILE, "is a window, which info, verify");
      }
    }
    assertPrints("b\n", dedupe("b\n", "--expected 1000 --fpp 0.001"));
  }

  @Test
  void aFileThatWasNotClosedIsSaidInOneLineUnlessQuiet() throws IOException {
    Path left = folder.resolve("left");
    for (String command : List.of("dedupe --state %s", "add %s", "verify --seal %s")) {
      for (String quiet : List.of("", " -q")) {
        Files.deleteIfExists(left);
        Files.deleteIfExists(state);
        try (LiveBloomFilter<String> open = Bloomery.strings().expect(1_000).openOrCreate(state)) {
          open.put("a");
          Files.copy(state, left);
        }
        List<String> said = Run.piped("a\n", command + quiet, left).err().lines().toList();
        List<String> warnings = said.stream().filter(line -> line.contains("last writer")).toList();
        assertEquals(quiet.isEmpty() ? 1 : 0, warnings.size(), said::toString);
        assertTrue(said.stream().allMatch(line -> line.startsWith("bloomery: ")), said::toString);
      }
    }
  }

  @Test
  void anotherThatHasTheFileIsNamed() throws IOException {
    dedupe("a\n", "--expected 1000");
    try (LiveBloomFilter<String> open = Bloomery.strings().openLive(state)) {
      dedupe("b\n", "--wait 0")
          .assertEnds(ExitCode.BAD_FILE, "by process " + ProcessHandle.current().pid());
      assertTrue(open.put("b"));
    }
    assertPrints("", dedupe("b\n", "--wait 0"));
  }

  @Test
  void theStateIsNeitherOutputNorInput() throws IOException {
    dedupe("a\n", "--expected 1000");
    byte[] before = Files.readAllBytes(state);
    run(state, Long.MAX_VALUE, "b\n").assertEnds(ExitCode.USAGE);
    Run.command("dedupe --state %s %s", state, state).assertEnds(ExitCode.USAGE);
    assertEquals(before.length, Files.size(state));
  }

  /** Each run is ended by a full disk after some bytes, often in the middle of a line. */
  @Test
  void noLineIsLostOrPrintedTwiceWhenTheDiskIsFull() throws IOException {
    Random random = Shell.draw();
    for (int trial = 0; trial < 6; trial++) {
      Files.deleteIfExists(state);
      List<String> lines =
          IntStream.range(0, 1 + random.nextInt(20_000))
              .mapToObj(i -> i + "x".repeat(random.nextInt(20)))
              .collect(Collectors.toList());
      boolean isTable = random.nextBoolean();
      String input = (isTable ? "header\n" : "") + String.join("\n", lines);
      boolean isOneFile = random.nextBoolean();
      List<Path> outputs = new ArrayList<>();
      Run run;
      do {
        if (outputs.isEmpty() || !isOneFile) {
          outputs.add(folder.resolve("out-" + trial + "-" + outputs.size()));
        }
        Path output = outputs.get(outputs.size() - 1);
        long room = random.nextInt(1 + random.nextInt(200_000));
        run =
            run(
                output,
                room,
                input,
                "--expected",
                "20k",
                "--fpp",
                "1e-12",
                isTable ? "--csv" : "--lines",
                isTable ? new Object[] {"header"} : new Object[0]);
        if (run.exitCode() != ExitCode.OK) {
          run.assertEnds(ExitCode.BAD_FILE, "make room, and run this again");
        }
      } while (run.exitCode() != ExitCode.OK);
      List<String> printed = new ArrayList<>();
      for (Path output : outputs) {
        String text = Files.readString(output);
        // A line that was printed in part is printed in full by the next run.
        List<String> whole = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        boolean isHeaded = isTable && !whole.isEmpty();
        if (isHeaded) {
          assertEquals("header", whole.get(0));
        }
        printed.addAll(whole.subList(isHeaded ? 1 : 0, whole.size()));
      }
      if (isOneFile) {
        assertEquals(lines, printed);
      }
      printed.sort(null);
      lines.sort(null);
      assertEquals(lines, printed);
      assertFalse(Files.exists(pending));
    }
  }

  @Test
  void whatMayHaveBeenReadFromAPipeIsNotPrintedAgain() throws IOException {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    Run.into(
            closed,
            bytes("a\nb\n"),
            Bloomery::installed,
            "dedupe --expected 10 --state".split(" "),
            state)
        .assertEnds(ExitCode.BROKEN_PIPE, "of the last 2 lines");
    Run next = dedupe("a\nb\nc\n", "");
    assertPrints("c\n", next);
    assertFalse(next.err().contains("earlier run"), next.err());
  }

  /** Runs with an output to the end of a file, which takes a number of bytes. */
  private Run run(Path file, long room, String input, Object... options) throws IOException {
    try (OutputStream out = new FileOutputStream(file.toFile(), true)) {
      OutputStream limited =
          new FilterOutputStream(out) {
            private long left = room;

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
              int step = (int) Math.min(left, length);
              out.write(bytes, from, step);
              left -= step;
              if (step < length) {
                throw new IOException("No space left on device");
              }
            }
          };
      return Run.into(
          new StandardOutput(limited, file),
          bytes(input),
          Bloomery::installed,
          "dedupe",
          "--state",
          state,
          options);
    }
  }

  private static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
