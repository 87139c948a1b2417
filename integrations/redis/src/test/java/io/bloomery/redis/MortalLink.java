package io.bloomery.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The link of a process that ends at one of its steps. Nothing is sent afterwards: no cleaning up
 * either.
 */
final class MortalLink extends ForwardingLink {

  private final int last;
  private final boolean isCut;
  private final Runnable beforeEach;
  private final Runnable death;
  private int steps;
  private boolean dead;

  /**
   * Creates a link that ends at a step.
   *
   * @param last the number of the step, from 1
   * @param isCut whether the server gets only the first half of the commands of that step
   * @param beforeEach is run before each step
   * @param death is run at that step
   */
  MortalLink(RedisLink link, int last, boolean isCut, Runnable beforeEach, Runnable death) {
    super(link);
    this.last = last;
    this.isCut = isCut;
    this.beforeEach = beforeEach;
    this.death = death;
  }

  synchronized boolean isDead() {
    return dead;
  }

  @Override
  public synchronized CompletableFuture<List<Object>> send(
      String node, List<List<byte[]>> commands, Executor executor) {
    if (dead) {
      return failed();
    }
    steps++;
    beforeEach.run();
    if (steps != last) {
      return super.send(node, commands, executor);
    }
    dead = true;
    int count = isCut ? commands.size() / 2 : commands.size();
    CompletableFuture<List<Object>> sent =
        count == 0
            ? CompletableFuture.completedFuture(List.of())
            : super.send(node, commands.subList(0, count), executor);
    return sent.thenCompose(
        replies -> {
          death.run();
          return failed();
        });
  }

  private static CompletableFuture<List<Object>> failed() {
    return CompletableFuture.failedFuture(new IllegalStateException("this process has ended"));
  }
}
