package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileMergeTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());

  @TempDir private Path folder;

  private static MergeableFilter filter(FilterSpec spec, int seed) {
    MergeableFilter filter =
        (MergeableFilter) new PlainProvider().create(spec, ThreadMode.CONFINED);
    new SplittableRandom(seed).longs(1_000).forEach(filter::put);
    return filter;
  }

  private Path save(String name, Filter filter) throws IOException {
    Path path = folder.resolve(name);
    FilterFiles.save(filter, path);
    return path;
  }

  private static byte[] bytes(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  /** The sizes lie around those of a part, 8,192 words, and of what one checksum covers. */
  @ParameterizedTest
  @ValueSource(longs = {1, 40, 54_600, 54_700, 874_000, 880_000, 2_000_000})
  void theResultIsThatOfMergingInMemory(long keys) throws IOException {
    FilterSpec spec = FilterSpec.of(keys, 0.01);
    MergeableFilter expected = filter(spec, 0);
    List<Path> sources = new ArrayList<>();
    sources.add(save("0", expected));
    for (int i = 1; i < 4; i++) {
      MergeableFilter more = filter(spec, i);
      sources.add(save("" + i, more));
      expected.putAll(more);
    }
    Path target = folder.resolve("merged");
    BLOOMERY.files().merge(target, sources);
    assertArrayEquals(bytes(expected), Files.readAllBytes(target));
    // One of the sources may be replaced, and the result merged again.
    BLOOMERY.files().merge(sources.get(1), List.of(sources.get(0), sources.get(1)));
    BLOOMERY.files().merge(target, List.of(target, sources.get(1)));
    assertArrayEquals(bytes(expected), Files.readAllBytes(target));
    assertEquals(5, files());
  }

  /** What was asked of the first counts, as when the others are put into it. */
  @Test
  void moreFilesAreMergedThanMayBeOpen() throws Exception {
    List<String> starter = List.of("sh", "-c", "ulimit -n 150 && exec \"$0\" \"$@\"");
    Process process =
        SavingProcess.java(starter, ManyFilesProcess.class, folder.toString(), "400")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (InputStream out = process.getInputStream()) {
      assertEquals("400 merged, 0 lost\n", new String(out.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void theResultIsForAsManyKeysAsTheFirst() throws IOException {
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    Path first = save("first", filter(spec, 1));
    byte[] bytes = Files.readAllBytes(first);
    MergeableFilter same = filter(spec, 1);
    Path other = save("other", forOtherKeys(same, 990));
    Path target = folder.resolve("merged");
    BLOOMERY.files().merge(target, List.of(first, other));
    assertArrayEquals(bytes, Files.readAllBytes(target));
    BLOOMERY.files().merge(target, List.of(other, first));
    assertArrayEquals(Files.readAllBytes(other), Files.readAllBytes(target));
  }

  private static Filter forOtherKeys(Filter filter, long keys) throws IOException {
    byte[] bytes = bytes(filter);
    FilterHeader header = FilterHeader.of(filter, filter.payloadSize());
    FilterSpec spec = FilterSpec.of(keys, 0.02);
    byte[] other =
        HeaderFormat.encode(new FilterHeader("plain", spec, header.layout(), header.payloadSize()));
    System.arraycopy(other, 0, bytes, 0, other.length);
    return BLOOMERY.files().read(new ByteArrayInputStream(bytes), OpenOptions.confined());
  }

  private static String refusal(Path target, Path... sources) {
    return assertThrows(
            UnexpectedFilterException.class, () -> BLOOMERY.files().merge(target, List.of(sources)))
        .getMessage();
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheReasonAndBothNames() throws IOException {
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    Path first = save("first", filter(spec, 1));
    Path larger = save("larger", filter(FilterSpec.of(2_000, 0.01), 1));
    Path text = save("text", filter(FilterSpec.of(1_000, 0.01, "xxh3-64/utf8"), 1));
    Path other = save("other", new PlainProvider("other").create(spec, ThreadMode.CONFINED));
    Path target = folder.resolve("merged");
    String again = "; make one of them again as the other was made";
    assertEquals(
        "filters cannot be merged: expected keys must make the same layout, but 1000 in "
            + first
            + " made {bits=9600, probes=7} and 2000 in "
            + larger
            + " made {bits=19200, probes=7}"
            + again,
        refusal(target, first, first, larger));
    assertEquals(
        "filters cannot be merged: hash id must be equal, but is raw in "
            + first
            + " and xxh3-64/utf8 in "
            + text
            + again,
        refusal(target, first, text));
    assertEquals(
        "filters cannot be merged: variant must be equal, but is other in "
            + other
            + " and plain in "
            + first
            + again,
        refusal(target, other, first));
    IllegalArgumentException none =
        assertThrows(
            IllegalArgumentException.class, () -> BLOOMERY.files().merge(target, List.of()));
    assertEquals("there must be at least one file to merge, but is none", none.getMessage());
    UnexpectedFilterException unknown =
        assertThrows(
            UnexpectedFilterException.class,
            () -> BLOOMERY.files().merge(target, List.of(other, other)));
    assertTrue(unknown.getMessage().contains("no provider for variant 'other'"));
    assertEquals(4, files());
  }

  /** Wherever a file is damaged, and whichever it is. */
  @Test
  void aDamagedSourceIsNamedAndNothingIsChanged() throws IOException {
    FilterSpec spec = FilterSpec.of(40, 0.01);
    Path one = save("one", filter(spec, 1));
    Path other = save("other", filter(spec, 2));
    Path target = save("merged", filter(spec, 3));
    byte[] before = Files.readAllBytes(target);
    for (Path damaged : List.of(one, other)) {
      byte[] bytes = Files.readAllBytes(damaged);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] ^= 1;
        Files.write(damaged, bytes);
        assertRefused(damaged, "byte " + at, target, one, other);
        bytes[at] ^= 1;
        Files.write(damaged, Arrays.copyOf(bytes, at));
        assertRefused(damaged, "cut to " + at, target, one, other);
      }
      Files.write(damaged, Arrays.copyOf(bytes, bytes.length + 1));
      assertRefused(damaged, "longer", target, one, other);
      Files.write(damaged, bytes);
    }
    assertArrayEquals(before, Files.readAllBytes(target));
    assertEquals(3, files());
    Path missing = folder.resolve("missing");
    assertThrows(
        NoSuchFileException.class, () -> BLOOMERY.files().merge(target, List.of(one, missing)));
  }

  private static void assertRefused(Path named, String what, Path target, Path... sources) {
    FilterFormatException e =
        assertThrows(
            FilterFormatException.class,
            () -> BLOOMERY.files().merge(target, List.of(sources)),
            what);
    assertTrue(e.getMessage().startsWith(named + ": byte "), what + ": " + e.getMessage());
  }
}
