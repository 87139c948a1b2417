package io.bloomery.conformance;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
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

  private static void check(SmallHeapCheck check, String variant, Path folder)
      throws IOException, InterruptedException {
    SmallJvm.output(
        SmallJvm.of(
            // Compiling well would take longer than it saves in so short a time.
            List.of("-XX:TieredStopAtLevel=1"),
            SmallHeapCheck.class,
            check.name(),
            variant,
            folder.resolve(variant).toString()));
  }

  @TestFactory
  Stream<DynamicTest> everyVariantRefusesWhatWasMadeUp(@TempDir Path folder) {
    return ofEach(SmallHeapCheck.MADE_UP, Bloomery.installed().providers().all().stream(), folder);
  }

  /** The bytes are there, and their checksums right, but there is no room for them. */
  @TestFactory
  Stream<DynamicTest> everyVariantOfOneTableRefusesAFileThatDoesNotFit(@TempDir Path folder) {
    return ofEach(
        SmallHeapCheck.TOO_LARGE,
        Bloomery.installed().providers().all().stream().filter(SmallHeapCheck::hasOneTable),
        folder);
  }

  /** Also where its arrays just fit, and nothing else does. */
  @TestFactory
  Stream<DynamicTest> everyVariantIsCreatedOrRefusedWhereItHardlyFits(@TempDir Path folder) {
    return ofEach(SmallHeapCheck.CREATED, Bloomery.installed().providers().all().stream(), folder);
  }

  @TestFactory
  Stream<DynamicTest> everyVariantIsHeldAsBytesWhereTheyFit(@TempDir Path folder) {
    return ofEach(
        SmallHeapCheck.SERIALIZABLE, Bloomery.installed().providers().all().stream(), folder);
  }

  /** Where two filters fit, what is read of them, or hardly that. */
  @TestFactory
  Stream<DynamicTest> filesOfEveryVariantAreMergedOrRefusedByName(@TempDir Path folder) {
    return ofEach(SmallHeapCheck.MERGED, Bloomery.installed().providers().all().stream(), folder);
  }

  private static Stream<DynamicTest> ofEach(
      SmallHeapCheck check, Stream<FilterProvider> providers, Path folder) {
    return providers.map(
        provider ->
            dynamicTest(provider.variant(), () -> check(check, provider.variant(), folder)));
  }

  @ParameterizedTest
  @EnumSource(
      value = SmallHeapCheck.class,
      names = {"MAPPED", "VERIFIED"})
  void aVariantThatReadsItsFilesToMapOrCheckThemRefusesOneThatDoesNotFit(
      SmallHeapCheck check, @TempDir Path folder) throws Exception {
    check(check, "standard", folder);
  }

  /** A stream does not say how long it is, so that twice the room is needed, and is not there. */
  @Test
  void aStreamThatDoesNotFitIsRefusedBeforeItIsRead(@TempDir Path folder) throws Exception {
    check(SmallHeapCheck.STREAM, "standard", folder);
  }
}
