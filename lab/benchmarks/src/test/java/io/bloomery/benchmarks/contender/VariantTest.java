package io.bloomery.benchmarks.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.hash.KeyHasher;
import io.bloomery.scalable.ScalableProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VariantTest {

  private static final int KEYS = 100_000;

  @Test
  void aFilterMadeForAFiftiethOfTheKeysHasSixLayers() throws IOException {
    String scalable = new ScalableProvider().variant();
    assertEquals(1, layers(scalable));
    assertEquals(6, layers(scalable + " 1/50"));
  }

  // The payload of a scalable filter begins with their number.
  private static long layers(String text) throws IOException {
    Filter filter = new Variant(text).create(Bloomery.longs(), KEYS, 0.01).filter();
    for (long i = 0; i < KEYS; i++) {
      filter.put(KeyHasher.longs().hash(i));
    }
    List<Long> words = new ArrayList<>();
    filter.writePayload(
        new PayloadOutput() {
          @Override
          public void begin(long size) {}

          @Override
          public void writeLong(long word) {
            words.add(word);
          }
        });
    return words.get(0);
  }
}
