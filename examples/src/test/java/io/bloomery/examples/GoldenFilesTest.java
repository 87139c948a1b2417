package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of docs/golden, which fix the format: none may be missing, changed or added. */
class GoldenFilesTest {

  private static final Path FOLDER = Path.of("../docs/golden/version-" + GoldenFile.VERSION);

  @TempDir private Path folder;

  static List<GoldenFile> files() {
    return GoldenFile.all();
  }

  @Test
  void noFileIsMissingOrExtra() throws IOException {
    Set<String> expected =
        files().stream()
            .flatMap(file -> Stream.of(file.name() + ".bloom", file.name() + ".tsv"))
            .collect(Collectors.toCollection(TreeSet::new));
    try (Stream<Path> there = Files.list(FOLDER)) {
      assertEquals(
          expected,
          there
              .map(path -> path.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void theSameKeysGiveTheSameBytesAsWhenTheFileWasWritten(GoldenFile file) throws IOException {
    assertArrayEquals(Files.readAllBytes(path(file)), file.bytes());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void theFileAnswersAsItDidAndIsWrittenAgainTheSame(GoldenFile file) throws IOException {
    byte[] bytes = Files.readAllBytes(path(file));
    String expected = Files.readString(table(file));
    for (ThreadMode mode : ThreadMode.values()) {
      StoredFilter filter =
          Bloomery.installed()
              .files()
              .readView(new ByteArrayInputStream(bytes), OpenOptions.of(mode));
      assertEquals(expected, file.table(filter));
      assertEquals(file.variant(), filter.variant());
      assertEquals(file.spec(), filter.spec());
    }
  }

  @Test
  void aReaderInAnotherLanguageAgreesOnEveryAnswerCountAndPosition() throws Exception {
    checkWithPython(files().stream().filter(file -> !file.hasSecret()).toList());
  }

  @Test
  void itDoesSoOfFilesWithASecretWhenItIsGivenThat() throws Exception {
    Path secret = folder.resolve("secret");
    Files.write(secret, GoldenFile.secret());
    checkWithPython(
        files().stream().filter(GoldenFile::hasSecret).toList(),
        "--secret-file",
        secret.toString());
  }

  private static void checkWithPython(List<GoldenFile> files, String... options)
      throws IOException, InterruptedException {
    assumeTrue(PythonReader.isThere(), "needs python3");
    List<Object> arguments = new ArrayList<>(List.of(options));
    for (GoldenFile file : files) {
      arguments.add(path(file));
      arguments.add(table(file));
    }
    Process python = PythonReader.start("compare", arguments);
    String said = PythonReader.output(python);
    assertEquals(0, python.waitFor(), said);
    assertEquals(
        files.size(), said.lines().filter(line -> line.endsWith(" 0 differences")).count(), said);
  }

  private static Path path(GoldenFile file) {
    return FOLDER.resolve(file.name() + ".bloom");
  }

  private static Path table(GoldenFile file) {
    return FOLDER.resolve(file.name() + ".tsv");
  }
}
