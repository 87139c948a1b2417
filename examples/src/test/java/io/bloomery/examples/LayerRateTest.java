package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.scalable.ScalableProvider;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that both readers refuse exactly the layers whose rate is too low for 64-bit hashes, in
 * files that were drawn so that it is hardly so or hardly not.
 */
class LayerRateTest {

  private static final int FILES = 400;

  /** More digits than any quotient here has, if it has an end. */
  private static final MathContext EXACT = new MathContext(1_000);

  private static final BigDecimal MILLION = BigDecimal.valueOf(1_000_000);
  private static final BigDecimal HASHES = new BigDecimal(BigInteger.TWO.pow(63));

  @TempDir private Path folder;

  /** What decides in a file: the rate asked, and the layers up to the newest. */
  private record Drawn(double rate, long ppm, long firstKeys, long growth, int layers) {

    /** The sentence of docs/FORMAT.md. */
    boolean isAllowed() {
      double q = layer0Rate(rate, ppm);
      BigInteger keys = BigInteger.valueOf(firstKeys);
      for (int i = 0; i < layers; i++) {
        if (new BigDecimal(q).multiply(HASHES).compareTo(new BigDecimal(keys)) < 0) {
          return false;
        }
        q = nextRate(q, ppm);
        keys = keys.multiply(BigInteger.valueOf(growth));
      }
      return true;
    }

    long keys(int layer) {
      return firstKeys * BigInteger.valueOf(growth).pow(layer).longValueExact();
    }

    /** All layers but the newest are full, each key with a bit of its own. */
    byte[] bytes() {
      List<Long> head = new ArrayList<>(List.of((long) layers));
      List<Long> tables = new ArrayList<>();
      for (int i = 0; i < layers; i++) {
        long keys = i + 1 < layers ? keys(i) : Math.min(i, 1);
        int words = (int) Math.max(1, (keys + 63) / 64);
        head.addAll(List.of(0L, 64L * words, 1L, keys));
        for (int word = 0; word < words; word++) {
          long left = keys - 64L * word;
          tables.add(left >= 64 ? -1 : (1L << left) - 1);
        }
      }
      head.addAll(tables);
      Map<String, Long> layout =
          Map.of(
              "first-layer-keys", firstKeys,
              "growth", growth,
              "max-bytes", Long.MAX_VALUE,
              "max-layers", 64L,
              "tightening-ppm", ppm);
      long[] payload = head.stream().mapToLong(Long::longValue).toArray();
      return CraftedFile.of(
          new ScalableProvider().variant(), FilterSpec.of(1, rate), new TreeMap<>(layout), payload);
    }
  }

  /** Each operation of the page is exact here, and then rounded to a double. */
  private static double layer0Rate(double rate, long ppm) {
    double part = new BigDecimal(rate).multiply(BigDecimal.valueOf(1_000_000 - ppm)).doubleValue();
    return new BigDecimal(part).divide(MILLION, EXACT).doubleValue();
  }

  private static double nextRate(double rate, long ppm) {
    double share = BigDecimal.valueOf(ppm).divide(MILLION, EXACT).doubleValue();
    return new BigDecimal(rate).multiply(new BigDecimal(share)).doubleValue();
  }

  private static Drawn drawn(SplittableRandom random) {
    long ppm = random.nextLong(500_000, 990_001);
    return random.nextInt(3) > 0 ? withLargeLayer(ppm, random) : withLayers(ppm, random);
  }

  /** Draws an empty filter whose first layer is as large as its rate allows, more or less. */
  private static Drawn withLargeLayer(long ppm, SplittableRandom random) {
    double rate = Math.scalb(random.nextDouble(0.5, 1), -random.nextInt(54));
    long most = new BigDecimal(layer0Rate(rate, ppm)).multiply(HASHES).longValue();
    long keys =
        switch (random.nextInt(4)) {
          case 0 -> most;
          case 1 -> most + 1;
          case 2 -> most + random.nextInt(-1024, 1025);
          default -> most + most / (1L << random.nextInt(1, 62)) * (random.nextInt(2) * 2 - 1);
        };
    return new Drawn(rate, ppm, Math.max(1, keys), random.nextInt(2, 17), 1);
  }

  /** Draws several layers, the newest of which has as low a rate as its keys allow. */
  private static Drawn withLayers(long ppm, SplittableRandom random) {
    int layers = random.nextInt(2, 5);
    Drawn any = new Drawn(0.5, ppm, random.nextInt(1, 21), random.nextInt(2, 17), layers);
    double rate = any.keys(layers - 1) * 0x1p-63 / (1 - ppm / 1e6);
    for (int i = 1; i < layers; i++) {
      rate /= ppm / 1e6;
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      rate = random.nextBoolean() ? Math.nextUp(rate) : Math.nextDown(rate);
    }
    return new Drawn(rate, ppm, any.firstKeys, any.growth, layers);
  }

  @Test
  void bothReadersRefuseExactlyTheLayersWhoseRateNoHashAllows() throws Exception {
    SplittableRandom random = new SplittableRandom(63);
    List<Path> files = new ArrayList<>();
    Set<Path> notAllowed = new TreeSet<>();
    Set<Path> refusedHere = new TreeSet<>();
    for (int i = 0; i < FILES; i++) {
      Drawn drawn = drawn(random);
      Path file = folder.resolve(i + ".bloom");
      Files.write(file, drawn.bytes());
      files.add(file);
      if (!drawn.isAllowed()) {
        notAllowed.add(file);
      }
      if (isRefused(file)) {
        refusedHere.add(file);
      }
    }
    assertTrue(notAllowed.size() > FILES / 4 && notAllowed.size() < FILES * 3 / 4);
    assertEquals(Set.of(), inOneOnly(notAllowed, refusedHere));
    assumeTrue(PythonReader.isThere(), "needs python3");
    assertEquals(Set.of(), inOneOnly(notAllowed, PythonReader.refused(files)));
  }

  private static Set<Path> inOneOnly(Set<Path> some, Set<Path> others) {
    Set<Path> all = new TreeSet<>(some);
    all.addAll(others);
    all.removeIf(path -> some.contains(path) && others.contains(path));
    return all;
  }

  private static boolean isRefused(Path file) throws IOException {
    try {
      Bloomery.installed().files().open(file, OpenOptions.confined());
      return false;
    } catch (FilterFormatException e) {
      assertTrue(e.getMessage().contains("64-bit hashes"), e::getMessage);
      return true;
    }
  }
}
