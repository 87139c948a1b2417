package io.bloomery.conformance;

import static io.bloomery.conformance.SmallHeapCheck.CREATED;
import static io.bloomery.conformance.SmallHeapCheck.MADE_UP;
import static io.bloomery.conformance.SmallHeapCheck.MERGED;
import static io.bloomery.conformance.SmallHeapCheck.SERIALIZABLE;
import static io.bloomery.conformance.SmallHeapCheck.STREAM;
import static io.bloomery.conformance.SmallHeapCheck.TOO_LARGE;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bytes that were made up, read where there is no memory to waste: in JVMs of 64 MB, in which no
 * thread but the one that reads needs any.
 */
class SmallHeapTest {

  private static void check(List<SmallHeapCheck> checks, String variant, Path folder)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(variant, folder.resolve(variant).toString()));
    checks.forEach(check -> arguments.add(check.name()));
    SmallJvm.output(
        SmallJvm.of(
            // Compiling well would take longer than it saves in so short a time.
            List.of("-XX:TieredStopAtLevel=1"),
            SmallHeapCheck.class,
            arguments.toArray(new String[0])));
  }

  /**
   * What was made up is refused; a file of one table that does not fit, too, although its bytes are
   * there and its checksums right; a filter is created, held as bytes or merged, or refused by
   * name, also where its arrays just fit, and nothing else does. The suite itself leaves the least
   * room, and so comes last.
   */
  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> everyVariantKeepsToItsRoom(@TempDir Path folder) {
    return keepToTheirRoom(Bloomery.installed().providers().all().stream(), folder);
  }

  /** Each takes a JVM seven seconds. */
  @TestFactory
  Stream<DynamicTest> aDrawnVariantKeepsToItsRoom(@TempDir Path folder) {
    List<FilterProvider> all = List.copyOf(Bloomery.installed().providers().all());
    FilterProvider drawn = all.get(DayDraw.random().nextInt(all.size()));
    return keepToTheirRoom(Stream.of(drawn), folder);
  }

  private static Stream<DynamicTest> keepToTheirRoom(
      Stream<? extends FilterProvider> providers, Path folder) {
    return providers.map(
        provider -> {
          List<SmallHeapCheck> checks = new ArrayList<>(List.of(CREATED, SERIALIZABLE, MERGED));
          if (SmallHeapCheck.hasOneTable(provider)) {
            checks.add(TOO_LARGE);
          }
          checks.add(MADE_UP);
          return dynamicTest(provider.variant(), () -> check(checks, provider.variant(), folder));
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = SmallHeapCheck.class,
      names = {"MAPPED", "VERIFIED"})
  void aVariantThatReadsItsFilesToMapOrCheckThemRefusesOneThatDoesNotFit(
      SmallHeapCheck check, @TempDir Path folder) throws Exception {
    check(List.of(check), "standard", folder);
  }

  /** A stream does not say how long it is, so that twice the room is needed, and is not there. */
  @Test
  void aStreamThatDoesNotFitIsRefusedBeforeItIsRead(@TempDir Path folder) throws Exception {
    check(List.of(STREAM), "standard", folder);
  }
}
