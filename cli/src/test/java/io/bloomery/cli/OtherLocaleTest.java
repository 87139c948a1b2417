package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.file.FilterUpdate;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.window.SlidingBloomFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose names Java lists and cannot write, as in a container without a locale. */
class OtherLocaleTest {

  private static final int NAMES = 6;
  private static final int MAX_LENGTH = 40;

  /** Of one to four bytes in UTF-8. */
  private static final int[] MAX_CHARACTERS = {0x7e, 0x7ff, 0xd7ff, 0x10ffff};

  private static final List<String> KINDS =
      List.of(
          OtherLocaleProcess.FILTER,
          OtherLocaleProcess.FOREIGN,
          OtherLocaleProcess.WINDOW,
          OtherLocaleProcess.PICTURE);

  @TempDir private Path folder;

  /** Makes files of drawn names, each in the folder of its kind, and a link to each. */
  @BeforeEach
  void makeFiles() throws Exception {
    for (String kind : KINDS) {
      Files.createDirectory(folder.resolve(kind));
    }
    Path filter = folder.resolve(OtherLocaleProcess.FILTER).resolve("ascii");
    Bloomery.strings().expect(100).fpp(1e-9).create().save(filter);
    Path foreign = folder.resolve(OtherLocaleProcess.FOREIGN).resolve("ascii");
    ForeignFormat.named("guava").create(100, 1e-9).write(foreign);
    Path window = folder.resolve(OtherLocaleProcess.WINDOW).resolve("ascii");
    SlidingBloomFilter.builder(Bloomery.strings().expect(100).fpp(1e-9)).create().save(window);
    Files.createFile(folder.resolve(OtherLocaleProcess.PICTURE).resolve("ascii"));
    StringBuilder script = new StringBuilder("set -e\n");
    int number = 0;
    for (String name : names()) {
      for (String kind : KINDS) {
        script.append("n=$(printf '").append(name).append("')\n");
        script.append("cp ").append(kind).append("/ascii ").append(kind).append("/\"$n\"\n");
        script.append("ln -s ").append(kind).append("/\"$n\" ").append(kind).append(number);
        script.append(kind.equals(OtherLocaleProcess.PICTURE) ? ".svg\n" : "\n");
      }
      number++;
    }
    Run answer = new Shell(folder).run(script.toString());
    answer.assertEnds(0);
  }

  /** Returns names as the octal numbers of their bytes: in UTF-8, or bytes that are not. */
  private static Set<String> names() {
    SplittableRandom random = new SplittableRandom(11);
    Set<String> names = new TreeSet<>();
    while (names.size() < NAMES) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(1, MAX_LENGTH); left > 0; left--) {
        text.appendCodePoint(
            random.nextInt('0', MAX_CHARACTERS[random.nextInt(MAX_CHARACTERS.length)]));
      }
      byte[] bytes =
          text.toString()
              .getBytes(
                  random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
      bytes[0] = (byte) (0x80 | bytes[0]);
      StringBuilder octal = new StringBuilder();
      for (byte each : bytes) {
        octal.append(String.format("\\%03o", each));
      }
      names.add(octal.toString());
    }
    return names;
  }

  /** Runs the process in the locale that has only ASCII, and returns what it prints. */
  private List<String> changeAll() throws Exception {
    ProcessBuilder builder = JavaProcess.of(List.of(), OtherLocaleProcess.class, folder.toString());
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      List<String> lines = out.lines().toList();
      assertEquals(0, process.waitFor());
      return lines;
    }
  }

  private List<Path> list(String kind) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(kind))) {
      return files.filter(file -> !file.endsWith("ascii")).toList();
    }
  }

  @Test
  void whatIsListedIsChangedWhateverItsName() throws Exception {
    assertEquals(1, changeAll().size());
    for (Path file : list(OtherLocaleProcess.FILTER)) {
      BloomFilter<String> filter = Bloomery.strings().open(file);
      assertTrue(filter.mightContain("updated") && filter.mightContain("added"));
    }
    for (Path file : list(OtherLocaleProcess.FOREIGN)) {
      var filter = ForeignFormat.named("guava").read(file).view(ItemEncoding.utf8());
      assertTrue(filter.mightContain("updated") && filter.mightContain("added"));
    }
    for (Path file : list(OtherLocaleProcess.WINDOW)) {
      assertTrue(SlidingBloomFilter.open(Bloomery.strings(), file).mightContain("updated"));
    }
    for (Path file : list(OtherLocaleProcess.PICTURE)) {
      assertTrue(Files.size(file) > 0);
    }
    for (String kind : KINDS) {
      assertEquals(NAMES, list(kind).size());
    }
  }

  /** A process that can write the names locks the same files. */
  @Test
  void processesOfDifferentLocalesTakeTurns() throws Exception {
    List<FilterUpdate<BloomFilter<String>>> updates = new ArrayList<>();
    for (Path file : list(OtherLocaleProcess.FILTER)) {
      updates.add(Bloomery.strings().update(file, Duration.ZERO));
    }
    // Commands would wait.
    try (Stream<Path> links = Files.list(folder)) {
      for (Path link : links.filter(Files::isRegularFile).toList()) {
        Files.delete(link);
      }
    }
    List<String> printed = changeAll();
    assertEquals(NAMES, printed.stream().filter(OtherLocaleProcess.LOCKED::equals).count());
    for (FilterUpdate<BloomFilter<String>> update : updates) {
      update.close();
    }
    assertEquals(NAMES, list(OtherLocaleProcess.FILTER).size());
  }

  @Test
  void aNameThatCannotBeWrittenIsOneClearError() throws Exception {
    Shell shell = new Shell(folder).with("LC_ALL", "C");
    String bloomery = String.join(" ", JavaProcess.of(List.of(), Main.class).command());
    for (String arguments :
        List.of("info \"$n\"", "check filter-0 \"$n\"", "plot --keys 9 -o \"$n\"")) {
      shell
          .run("n=$(printf '\\303\\244'); " + bloomery + " " + arguments)
          .assertEnds(2, "; set LC_ALL=C.UTF-8, or give the file another name");
    }
  }
}
