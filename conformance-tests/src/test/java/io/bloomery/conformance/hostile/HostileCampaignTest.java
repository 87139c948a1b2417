package io.bloomery.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.DayDraw;
import io.bloomery.conformance.SmallJvm;
import io.bloomery.conformance.broken.Patch;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.report.HostileMain;
import io.bloomery.conformance.report.Reports;
import io.bloomery.conformance.unusual.ForwardingFuse;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.fuse.FuseProvider;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hostile bytes against variants installed, in a JVM of 64 MB, and against broken ones. */
class HostileCampaignTest {

  /** A variant makes some 60,000 inputs besides its mutants. */
  private static final long MIN_INPUTS = 55_000;

  private static void runElsewhere(List<String> variants, long mutants, String compiler)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(variants);
    arguments.add(0, Long.toString(mutants));
    arguments.add(1, Long.toString(HostileCampaign.DEFAULT_SEED));
    String said =
        SmallJvm.output(
            SmallJvm.of(
                List.of("-XX:+UseSerialGC", compiler),
                HostileMain.class,
                arguments.toArray(String[]::new)));
    said.lines().filter(line -> line.contains("hostile inputs:")).forEach(System.out::println);
    long tried =
        Long.parseLong(said.replaceAll("(?s).*\"tried\": (\\d+)[^\"]*\\}\\s*$", "$1").strip());
    assertTrue(tried >= variants.size() * (MIN_INPUTS + mutants), said);
    assertTrue(said.contains("\"failures\": 0,"), said);
  }

  private static List<String> installed() {
    return Bloomery.installed().providers().variants();
  }

  /** Two of them, drawn, which have each other's headers. */
  @Test
  void noVariantFallsForHostileBytes() throws IOException, InterruptedException {
    List<String> variants = new ArrayList<>(installed());
    Collections.shuffle(variants, DayDraw.random());
    // Compiling well would take longer than it saves in so short a time.
    runElsewhere(
        variants.subList(0, 2), HostileCampaign.DEFAULT_MUTANTS, "-XX:TieredStopAtLevel=1");
  }

  @Test
  @Tag("nightly")
  void noVariantFallsForAMillionMutants() throws IOException, InterruptedException {
    runElsewhere(installed(), 1_000_000, "-XX:+TieredCompilation");
  }

  private static HostileReport reportOn(VariantProvider provider) {
    return HostileCampaign.on(List.of(provider)).mutants(500).limit(Duration.ofSeconds(2)).run();
  }

  private static void assertFound(String problem, VariantProvider broken) {
    HostileReport report = reportOn(broken);
    assertTrue(report.failures() > 0, report::toString);
    HostileReport.Failure first = report.firstFailure().orElseThrow();
    assertTrue(first.problem().contains(problem), report::toString);
    assertTrue(report.toString().contains("; first: "), report::toString);
    assertTrue(Reports.json(report).contains("\"hex\": \"" + first.hex()), report::toString);
  }

  @Test
  void whatIsRightPassesAndTheSameSeedMakesTheSameInputs() {
    HostileReport report = reportOn(new PatchedProvider());
    assertEquals(0, report.failures(), report::toString);
    for (Kind kind : Kind.values()) {
      assertTrue(
          report.counts().stream().anyMatch(count -> count.kind() == kind && count.tried() > 0),
          () -> "inputs of the kind " + kind);
    }
    assertEquals(report.counts(), reportOn(new PatchedProvider()).counts());
  }

  @Test
  void anAnnouncedLengthThatIsTrustedIsFound() {
    assertFound(
        "bytes were allocated for",
        PatchedProvider.with(
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  long[] table = new long[(int) Math.min(in.size() / Long.BYTES, 1 << 15)];
                  if (table.length == 0) {
                    throw in.malformed("must not be empty");
                  }
                  return right.read(spec, layout, in, mode, limits);
                })));
  }

  @Test
  void anUncheckedNumberIsFound() {
    assertFound(
        "must be refused with FilterFormatException, not java.lang.IllegalArgumentException",
        PatchedProvider.with(
            Patch.read(
                (right, spec, layout, in, mode, limits) ->
                    right.read(spec, TableLayout.of(layout).toLayout(), in, mode, limits))));
  }

  @Test
  void contentThatIsRepairedIsFound() {
    assertFound(
        "written again as other bytes",
        PatchedProvider.with(
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  long[] words = in.readLongs(in.size() / Long.BYTES);
                  if (words.length > 0) {
                    words[0] &= Long.MAX_VALUE;
                  }
                  return right.read(spec, layout, new Payload(in.size(), words), mode, limits);
                })));
  }

  @Test
  void filtersThatAreBuiltOnceAreTried() {
    HostileReport report = reportOn(new FuseProvider());
    assertEquals(0, report.failures(), report::toString);
    assertTrue(report.counts().stream().anyMatch(count -> count.accepted() > 0), report::toString);
    assertFound(
        "must be refused with FilterFormatException, not java.lang.IllegalArgumentException",
        new ForwardingFuse() {
          @Override
          public StoredFilter read(
              FilterSpec spec,
              FilterLayout layout,
              PayloadInput in,
              ThreadMode mode,
              FilterLimits limits)
              throws IOException {
            layout.get("segments");
            return super.read(spec, layout, in, mode, limits);
          }
        });
  }

  @Test
  void aReaderThatNeverEndsIsFound() {
    assertFound(
        "not done after 2 seconds",
        PatchedProvider.with(
            Patch.read(
                (right, spec, layout, in, mode, limits) -> {
                  while (layout.toMap().values().stream().anyMatch(number -> number < 0)) {
                    LockSupport.parkNanos(1_000_000);
                  }
                  return right.read(spec, layout, in, mode, limits);
                })));
  }
}
