package io.bloomery.guard;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** A factory of a guard's threads: daemons, named by the guard and their task. */
final class GuardThreads implements ThreadFactory {

  private final String prefix;
  private final AtomicInteger made = new AtomicInteger();

  GuardThreads(String guard, String task) {
    this.prefix = "bloomery-guard-" + guard + "-" + task + "-";
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, prefix + made.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
