package io.bloomery.spring;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;

/** The guards over files, and the thread that checks for replaced files. */
final class FileGuards implements DisposableBean {

  private final Map<String, FileGuard<?>> guards = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "bloomery-filter-files");
            thread.setDaemon(true);
            return thread;
          });

  /** Adds a guard, and checks its file periodically from now on. */
  void add(String name, FileGuard<?> guard, Duration every) {
    guards.put(name, guard);
    var unused =
        clock.scheduleWithFixedDelay(
            guard::look, every.toMillis(), Math.max(1, every.toMillis()), TimeUnit.MILLISECONDS);
  }

  /** Returns the reason why the file of a guard is not used, or empty if it is or there is none. */
  Optional<String> lastError(String name) {
    FileGuard<?> guard = guards.get(name);
    return guard == null ? Optional.empty() : guard.lastError();
  }

  @Override
  public void destroy() {
    clock.shutdownNow();
    guards.values().forEach(FileGuard::close);
  }
}
