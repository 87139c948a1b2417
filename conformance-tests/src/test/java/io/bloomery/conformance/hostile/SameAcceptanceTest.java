package io.bloomery.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.DayDraw;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.internal.kit.Mutant;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that every way to take a file takes the same ones: each byte of header, trailer and
 * padding is changed, mostly under checksums that match, as whoever forges a file computes them,
 * and layout and content are changed under such checksums.
 */
class SameAcceptanceTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  /** Changes of each byte: its lowest bit, and others that are drawn. */
  private static final int CHANGES = 3;

  private static final int MUTANTS = 150;

  private static final Random DRAW = DayDraw.random();

  @TempDir private Path folder;

  static List<String> variants() {
    return BLOOMERY.providers().variants();
  }

  /** Of the changes of each byte one, drawn. */
  @ParameterizedTest
  @MethodSource("variants")
  void everyWayTakesTheSameFiles(String variant) throws IOException {
    check(variant, 1, DRAW.nextLong());
  }

  @ParameterizedTest
  @MethodSource("variants")
  @Tag("nightly")
  void everyWayTakesTheSameFilesHoweverTheyAreChanged(String variant) throws IOException {
    check(variant, CHANGES, variant.hashCode());
  }

  private void check(String variant, int changes, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Filter filter =
        BuiltOnDemand.of(BLOOMERY.providers().variant(variant))
            .create(FilterSpec.of(20, 0.1).withAttributes(Map.of("by", "é")), ThreadMode.CONFINED);
    byte[] bytes = Subject.write(filter);
    int header = Envelope.headerLength(bytes);
    int trailer = header + (int) filter.payloadSize();
    int taken = 0;
    int refused = 0;
    for (int at = 0; at < bytes.length; at++) {
      for (int i = 0; i < changes && (at < header || at >= trailer); i++) {
        byte[] changed = bytes.clone();
        changed[at] ^=
            (byte) ((changes == 1 ? random.nextInt(CHANGES) : i) == 0 ? 1 : random.nextInt(1, 256));
        if (random.nextInt(8) > 0) {
          Envelope.seal(changed);
        }
        if (isTakenByAll(changed, "byte " + at + " of " + variant)) {
          taken++;
        } else {
          refused++;
        }
      }
    }
    assertTrue(isTakenByAll(bytes, variant));
    assertTrue(taken > 0 && refused > 0, taken + " taken, " + refused + " refused");
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyWayTakesTheSameContent(String variant) throws IOException {
    FilterProvider provider = BuiltOnDemand.of(BLOOMERY.providers().variant(variant));
    SplittableRandom random = new SplittableRandom(variant.hashCode());
    int taken = 0;
    for (int i = 0; i < MUTANTS; i++) {
      Filter filter = provider.create(FilterSpec.of(1 + i % 90, 0.1), ThreadMode.CONFINED);
      // What is built once has room for a key 1, and those expected besides.
      int put = BuiltOnDemand.tested(provider) == provider ? 2 * i : i % 90;
      for (int key = 0; key < put; key++) {
        filter.put(random.nextLong() >>> key % 2 << key % 2);
      }
      for (int times = i % 9; times > 0; times--) {
        filter.put(1);
      }
      Mutant mutant = Mutant.of(filter, random);
      Envelope changed = Envelope.of(Subject.write(filter)).with(mutant);
      byte[] bytes = changed.withAnnounced(changed.payload().length).toBytes();
      taken += isTakenByAll(bytes, variant + ", " + mutant) ? 1 : 0;
    }
    assertTrue(taken > 0 && taken < MUTANTS, taken + " of " + MUTANTS + " are taken");
  }

  /** A way to take a file. */
  private interface Way {
    void take() throws IOException;
  }

  private boolean isTakenByAll(byte[] bytes, String what) throws IOException {
    Path file = Files.write(folder.resolve("changed"), bytes);
    boolean opens = takes(() -> BLOOMERY.files().openView(file, OpenOptions.confined()));
    List<Boolean> others = new ArrayList<>();
    others.add(
        takes(
            () ->
                BLOOMERY
                    .files()
                    .readView(new ByteArrayInputStream(bytes), OpenOptions.confined())));
    others.add(
        takes(() -> BLOOMERY.files().readView(ByteBuffer.wrap(bytes), OpenOptions.confined())));
    others.add(maps(file));
    others.add(takes(() -> BLOOMERY.files().merge(folder.resolve("merged"), List.of(file))));
    others.add(verifies(file));
    assertEquals(
        List.of(opens, opens, opens, opens && merges(file), opens),
        others,
        () -> what + ": by stream, buffer, mapping, merging, verifying");
    return opens;
  }

  private static boolean takes(Way way) throws IOException {
    try {
      way.take();
      return true;
    } catch (FilterFormatException | UnexpectedFilterException e) {
      return false;
    }
  }

  /** Looks whether a file is mapped, and not for content alone, which nobody reads then, bad. */
  private static boolean maps(Path file) throws IOException {
    try (MappedFilter mapped = BLOOMERY.files().map(file)) {
      VerificationResult result = mapped.verify();
      assertEquals(BLOOMERY.files().verify(file), result);
      boolean isContentBad =
          result.damage().stream().allMatch(region -> region.reason().startsWith("content"));
      return result.isSound() || !isContentBad;
    } catch (FilterFormatException | UnexpectedFilterException e) {
      return false;
    }
  }

  private static boolean merges(Path file) throws IOException {
    return BLOOMERY.files().openView(file, OpenOptions.confined()) instanceof MergeableFilter;
  }

  private static boolean verifies(Path file) throws IOException {
    try {
      return BLOOMERY.files().verify(file).isSound();
    } catch (FilterFormatException e) {
      return false;
    }
  }
}
