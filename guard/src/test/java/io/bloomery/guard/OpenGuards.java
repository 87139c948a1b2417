package io.bloomery.guard;

import java.util.ArrayDeque;
import java.util.Deque;

/** Guards that are closed at the end of a test. */
final class OpenGuards implements AutoCloseable {

  private final Deque<Runnable> closings = new ArrayDeque<>();

  <K, V> Guard<K, V> open(Guard<K, V> guard) {
    closings.push(guard::close);
    return guard;
  }

  /** Opens a guard whose filter serves. */
  <K, V> Guard<K, V> ready(GuardBuilder<K, V> builder) throws Exception {
    Guard<K, V> guard = open(builder.build());
    guard.awaitFilter(Guards.LONG);
    return guard;
  }

  Guard<String, String> ready(MemorySource table) throws Exception {
    return ready(Guards.builder(table));
  }

  ReadOnlyGuard<String, String> open(ReadOnlyGuard<String, String> guard) {
    closings.push(guard::close);
    return guard;
  }

  @Override
  public void close() {
    closings.forEach(Runnable::run);
  }
}
