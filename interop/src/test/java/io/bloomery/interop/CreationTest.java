package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * New filters have the size that their system gives them, as far as golden files say what they were
 * asked for; those of the Java libraries are compared with these in {@code peers}.
 */
class CreationTest {

  private static final Pattern RESERVE =
      Pattern.compile("BF\\.RESERVE f ([0-9.]+) (\\d+)( NONSCALING)?");
  private static final Pattern ESTIMATES =
      Pattern.compile("NewWithEstimates\\((\\d+), ([0-9.]+)\\)");

  private static ForeignParameters asked(Golden golden) {
    Map<?, ?> params = golden.params();
    switch (golden.format()) {
      case CASSANDRA_2, CASSANDRA_3, CASSANDRA_4 -> {
        return params.containsKey("numElements")
            ? ForeignParameters.expect(
                (Long) params.get("numElements"), number(params.get("maxFalsePosProbability")))
            : null;
      }
      case DCSO, DCSO_GZIP -> {
        return ForeignParameters.expect((Long) params.get("capacity"), number(params.get("fpp")));
      }
      case REDISBLOOM -> {
        Matcher reserve = RESERVE.matcher(String.valueOf(params.get("command")));
        if (!reserve.matches()) {
          return ForeignParameters.expect(100, 0.01); // what the module makes of itself
        }
        return ForeignParameters.expect(
                Long.parseLong(reserve.group(2)), Double.parseDouble(reserve.group(1)))
            .expansion(reserve.group(3) == null ? 2 : 0);
      }
      case BITS_AND_BLOOMS -> {
        Matcher made = ESTIMATES.matcher(String.valueOf(params.get("via")));
        return made.matches()
            ? ForeignParameters.expect(
                Long.parseLong(made.group(1)), Double.parseDouble(made.group(2)))
            : ForeignParameters.table((Long) params.get("m"), ((Long) params.get("k")).intValue());
      }
      default -> {
        return params.containsKey("expected")
            ? ForeignParameters.expect((Long) params.get("expected"), number(params.get("rate")))
            : null;
      }
    }
  }

  private static double number(Object value) {
    return Double.parseDouble(String.valueOf(value));
  }

  @Test
  void whatIsCreatedAndFilledIsTheGoldenFile() throws IOException {
    Map<ForeignFormat, Integer> files = new TreeMap<>();
    for (Golden golden : Golden.all()) {
      ForeignParameters asked = asked(golden);
      if (asked == null
          || golden.name().contains("-data.")
          || golden.name().contains("fromwithm")) {
        continue; // what is attached cannot be asked for
      }
      ForeignFilter made = golden.format().create(asked);
      made.putAll(golden.members(), golden.encoding());
      if (golden.format() == ForeignFormat.DCSO_GZIP) {
        made = made.as(ForeignFormat.DCSO);
        assertArrayEquals(
            golden.format().read(golden.bytes()).as(ForeignFormat.DCSO).toBytes(), made.toBytes());
      } else {
        assertArrayEquals(golden.bytes(), made.toBytes(), golden::toString);
      }
      files.merge(golden.format(), 1, Integer::sum);
    }
    assertEquals(15, files.size(), files::toString);
    assertEquals(63, files.values().stream().mapToInt(i -> i).sum(), files::toString);
  }

  @Test
  void whatASystemDoesNotMakeIsRefused() {
    for (ForeignFormat format : ForeignFormat.values()) {
      assertThrows(IllegalArgumentException.class, () -> format.create(0, 0.01), format::id);
      assertThrows(IllegalArgumentException.class, () -> format.create(10, 0), format::id);
      assertThrows(IllegalArgumentException.class, () -> format.create(10, 1), format::id);
      assertThrows(IllegalArgumentException.class, () -> format.create(10, Double.NaN), format::id);
      assertThrows(
          IllegalArgumentException.class,
          () -> format.create(ForeignParameters.table(1024, 256)),
          format::id);
    }
    assertThrows(
        IllegalArgumentException.class, () -> ForeignFormat.CASSANDRA_4.create(10, 0.00006));
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignFormat.CASSANDRA_4.create(ForeignParameters.table(1024, 22)));
    assertThrows(IllegalArgumentException.class, () -> ForeignFormat.HIVE_BLOOMK.create(10, 0.01));
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignFormat.DATASKETCHES.create(ForeignParameters.table((1L << 32) + 64, 3)));
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignFormat.HIVE_2_4.create(ForeignParameters.table(1L << 31, 3)));
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignFormat.SPARK_V1.create(ForeignParameters.expect(10, 0.01).seed(1)));
  }
}
