package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class GuardMetersTest {

  @Test
  void metersSayWhatTheGuardCounts() throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    CountDownLatch fill = new CountDownLatch(1);
    table.onKeys = () -> Guards.await(fill);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Guard<String, String> guard = Guards.builder(table).name("users").build()) {
      new GuardMeters(guard).bindTo(registry);
      assertEquals(1, gauge(registry, "bloom.guard.state", "state", "filling"));
      assertTrue(Double.isNaN(gauge(registry, "bloom.filter.fill")));
      guard.get("nobody");
      fill.countDown();
      Guards.await("ready", () -> gauge(registry, "bloom.guard.state", "state", "ready") == 1);
      for (int i = 0; i < 1_000; i++) {
        guard.get("user-" + i % 10);
        guard.get("nobody-" + i);
      }
      GuardStats stats = guard.stats();
      assertEquals(stats.absent(), count(registry, "bloom.filter.lookups", "result", "absent"));
      assertEquals(stats.maybe(), count(registry, "bloom.filter.lookups", "result", "maybe"));
      assertEquals(1, count(registry, "bloom.filter.lookups", "result", "unfiltered"));
      assertEquals(stats.cached(), count(registry, "bloom.guard.cached"));
      assertEquals(stats.loads(), count(registry, "bloom.guard.loads"));
      assertEquals(1, count(registry, "bloom.guard.rebuilds"));
      assertEquals(0, count(registry, "bloom.guard.rebuild.failures"));
      assertEquals(1_000, gauge(registry, "bloom.filter.keys.estimated"), 50);
      assertEquals(10_000, gauge(registry, "bloom.filter.keys.expected"));
      assertEquals(96_000, 8 * gauge(registry, "bloom.filter.size.bytes"), 1_000);
      assertEquals(stats.filter().orElseThrow().fill(), gauge(registry, "bloom.filter.fill"), 1e-9);
      assertTrue(gauge(registry, "bloom.guard.age") >= 0);
    }
    assertEquals(1, gauge(registry, "bloom.guard.state", "state", "closed"));
  }

  @Test
  void everyMeterStandsInThePage() throws Exception {
    String page = Files.readString(Path.of("../docs/guard.md"));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Guard<String, String> guard = Guards.builder(new MemorySource()).build()) {
      new GuardMeters(guard).bindTo(registry);
      for (Meter meter : registry.getMeters()) {
        assertTrue(page.contains("`" + meter.getId().getName()), meter.getId().getName());
      }
    }
  }

  @Test
  void registeredMetersDoNotKeepAGuardFromBeingCollected() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    WeakReference<?> guard = closedGuardWithMeters(registry);
    Guards.await(
        "collected",
        () -> {
          System.gc();
          return guard.get() == null;
        });
    assertTrue(Double.isNaN(gauge(registry, "bloom.guard.generation")));
    assertEquals(1, count(registry, "bloom.guard.rebuilds"));
  }

  // A method of its own, no variable of which refers to the guard any more once it has returned.
  private static WeakReference<?> closedGuardWithMeters(SimpleMeterRegistry registry)
      throws Exception {
    try (Guard<String, String> guard =
        Guards.builder(MemorySource.of("user-", 10)).name("users").build()) {
      new GuardMeters(guard).bindTo(registry);
      Guards.await("ready", () -> gauge(registry, "bloom.guard.state", "state", "ready") == 1);
      assertEquals(1, count(registry, "bloom.guard.rebuilds"));
      return new WeakReference<>(guard);
    }
  }

  private static double gauge(SimpleMeterRegistry registry, String name, String... tags) {
    return registry.get(name).tag("guard", "users").tags(tags).gauge().value();
  }

  private static long count(SimpleMeterRegistry registry, String name, String... tags) {
    return Math.round(
        registry.get(name).tag("guard", "users").tags(tags).functionCounter().count());
  }
}
