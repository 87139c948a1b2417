package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.spi.TableProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FilterBufferTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Returns the variants whose bytes are those of a table, so that none are made for writing. */
  static Stream<String> variantsOfOneTable() {
    return FilterProviders.installed().all().stream()
        .filter(TableProvider.class::isInstance)
        .map(FilterProvider::variant);
  }

  @ParameterizedTest
  @MethodSource("variantsOfOneTable")
  void itsBytesTakeTheMemoryThatTheyHave(String variant) throws IOException {
    FilterBuffer buffer = new FilterBuffer(new BuildPlan(variant, FilterSpec.of(5_000_000, 0.01)));
    for (long i = 0; i < 5_000; i++) {
      buffer.put(i * 0x9e3779b97f4a7c15L);
    }
    buffer.filter();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    buffer.writeTo(expected);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    byte[] bytes = buffer.toBytes();
    byte[] file = KeyAggregator.file(buffer, false);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertArrayEquals(expected.toByteArray(), bytes);
    long most =
        (long) bytes.length + file.length + (4 << 20); // and what is loaded with the first call
    assertTrue(allocated < most, allocated + " bytes for " + most);
    FilterBuffer read = FilterBuffer.readFrom(new ByteArrayInputStream(bytes));
    assertArrayEquals(file, KeyAggregator.file(read, false));
  }

  @Test
  void whatNoArrayCanHoldIsRefused() {
    String message =
        assertThrows(IllegalStateException.class, () -> new SizedOutput(1L << 31)).getMessage();
    assertEquals(
        "a value must have at most 2146435071 bytes, but the filter now has 2147483648; build it in"
            + " shards, by BloomerySpark.buildShards",
        message);
  }
}
