package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomery.conformance.internal.kit.OtherJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The kernels pass their tests on Java 25 too, whose compiler has other intrinsics for vectors. Its
 * home is {@code bloomery.jdk25}, or beside that of the Java of the tests.
 */
class Java25Test {

  private static final String NONE =
      "kernels are not tested on Java 25: there is none beside the Java of the tests, and"
          + " -Dbloomery.jdk25=HOME names no other";

  private static final Pattern ALL_PASSED =
      Pattern.compile("^([1-9]\\d*) passed of \\1$", Pattern.MULTILINE);

  /** What the other JVM runs. */
  public static final class Main {

    private Main() {}

    /** Runs the tests of all kernels, and prints how many passed, and what failed. */
    public static void main(String[] arguments) {
      LauncherDiscoveryRequest tests =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(
                  selectClass(CellBatchTest.class),
                  selectClass(PairBatchTest.class),
                  selectClass(ProbeBatchTest.class),
                  selectClass(TwoWordBatchTest.class),
                  selectClass(VectorKernelTest.class))
              .configurationParameter("jqwik.database", "")
              .configurationParameter("jqwik.reporting.onlyfailures", "true")
              .build();
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create().execute(tests, listener);
      TestExecutionSummary summary = listener.getSummary();
      summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 5);
      System.out.printf(
          "%d passed of %d%n", summary.getTestsSucceededCount(), summary.getTestsFoundCount());
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_24)
  void kernelsAnswerThereAsTheyAreDefined() throws Exception {
    Optional<Path> java = java25();
    if (java.isEmpty()) {
      System.out.println(NONE);
    }
    assumeTrue(java.isPresent(), NONE);
    Process process =
        new ProcessBuilder(
                java.get().resolve("bin/java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:CompileCommand=quiet",
                // Kernels alone, soon, and by the compiler that has intrinsics for vectors.
                "-XX:Tier4InvocationThreshold=100000",
                "-XX:Tier4MinInvocationThreshold=12000",
                "-XX:Tier4CompileThreshold=300000",
                "-XX:Tier4BackEdgeThreshold=400000",
                "-XX:CompileCommand=CompileThresholdScaling,*Batch::*,0.001",
                "-XX:CompileCommand=CompileThresholdScaling,*VectorKernel::*,0.001",
                "-XX:CompileCommand=BackgroundCompilation,*Batch::*,false",
                "-XX:CompileCommand=BackgroundCompilation,*VectorKernel::*,false",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                OtherJvm.classPath(List.of(VectorKernel.class, Java25Test.class)),
                Main.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertTrue(ALL_PASSED.matcher(said).find(), said);
  }

  private static Optional<Path> java25() throws IOException {
    String told = System.getProperty("bloomery.jdk25");
    if (told != null) {
      return Optional.of(Path.of(told));
    }
    try (Stream<Path> homes = Files.list(Path.of(System.getProperty("java.home")).getParent())) {
      return homes.filter(home -> version(home) >= 25).findFirst();
    }
  }

  private static int version(Path home) {
    try {
      String release = Files.readString(home.resolve("release"));
      return Integer.parseInt(release.replaceAll("(?s).*JAVA_VERSION=\"(\\d+).*", "$1"));
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
