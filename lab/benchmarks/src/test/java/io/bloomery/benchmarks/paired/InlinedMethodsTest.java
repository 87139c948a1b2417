package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Methods that loops are made of, which the JVM calls rather than inlines if they are too large.
 */
class InlinedMethodsTest {

  // HotSpot's FreqInlineSize on all platforms that matter.
  private static final int LARGEST = 325;

  // Initializers too, or their instructions would count as those of the method in front of them.
  private static final Pattern MEMBER = Pattern.compile("  \\S.*;");
  // A place and the instruction there; the last one returns or throws, in a single byte.
  private static final Pattern INSTRUCTION = Pattern.compile("\\s+(\\d+): [a-z].*");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.bloomery.internal.Batches",
        "io.bloomery.standard.StandardFilter",
        "io.bloomery.standard.MappedStandard",
        "io.bloomery.partitioned.PartitionedFilter",
        "io.bloomery.partitioned.MappedPartitioned",
        "io.bloomery.blocked.TwoWordFilter",
        "io.bloomery.blocked.FourWordFilter",
        "io.bloomery.blocked.MappedBlocked",
        "io.bloomery.blocked.BlockedGroup",
        "io.bloomery.counting.CounterBlockFilter",
        "io.bloomery.counting.CountingFilter",
        "io.bloomery.counting.FastCountingFilter",
        "io.bloomery.counting.Counters",
        "io.bloomery.counting.MappedCounting"
      })
  void noMethodOfAFilterIsTooLargeToBeInlined(String type) throws Exception {
    Map<String, Integer> sizes = sizes(type);
    assertFalse(sizes.isEmpty(), "javap must name methods of " + type);
    sizes.forEach(
        (method, size) ->
            assertTrue(
                size <= LARGEST,
                () -> method + " has " + size + " bytes, more than " + LARGEST + ": divide it"));
  }

  /**
   * Of fast counters, what few updates need is so large that those which all need stay small: with
   * it, they would not be inlined themselves.
   */
  @Test
  void onlyWhatFewUpdatesOfFastCountersNeedIsTooLargeToBeInlined() throws Exception {
    Map<String, Integer> sizes = sizes("io.bloomery.counting.FastCounters");
    assertFalse(sizes.isEmpty(), "javap must name methods");
    sizes.forEach(
        (method, size) ->
            assertEquals(
                method.contains("Several("), size > LARGEST, () -> method + " has " + size));
  }

  private static Map<String, Integer> sizes(String type) throws Exception {
    Path classes =
        Path.of(Class.forName(type).getProtectionDomain().getCodeSource().getLocation().toURI());
    StringWriter printed = new StringWriter();
    int exit =
        ToolProvider.findFirst("javap")
            .orElseThrow(() -> new IllegalStateException("a JDK with javap is needed"))
            .run(
                new PrintWriter(printed),
                new PrintWriter(printed),
                "-c",
                "-p",
                "-classpath",
                classes.toString(),
                type);
    assertEquals(0, exit, printed::toString);
    Map<String, Integer> sizes = new LinkedHashMap<>();
    String member = "";
    for (String line : printed.toString().lines().toList()) {
      Matcher instruction = INSTRUCTION.matcher(line);
      if (MEMBER.matcher(line).matches()) {
        member = line.strip();
      } else if (instruction.matches()) {
        sizes.put(member, Integer.parseInt(instruction.group(1)) + 1);
      }
    }
    return sizes;
  }
}
