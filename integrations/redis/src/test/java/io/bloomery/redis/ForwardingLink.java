package io.bloomery.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A link that does what another does; whoever has the other closes it. */
class ForwardingLink implements RedisLink {

  private final RedisLink link;

  ForwardingLink(RedisLink link) {
    this.link = link;
  }

  /** Returns a link that does something before each time that it sends. */
  static RedisLink before(RedisLink link, Runnable step) {
    return new ForwardingLink(link) {
      @Override
      public CompletableFuture<List<Object>> send(
          String node, List<List<byte[]>> commands, Executor executor) {
        step.run();
        return super.send(node, commands, executor);
      }
    };
  }

  @Override
  public boolean isCluster() {
    return link.isCluster();
  }

  @Override
  public String node(byte[] key) {
    return link.node(key);
  }

  @Override
  public List<String> primaries() {
    return link.primaries();
  }

  @Override
  public void refresh() {
    link.refresh();
  }

  @Override
  public CompletableFuture<List<Object>> send(
      String node, List<List<byte[]>> commands, Executor executor) {
    return link.send(node, commands, executor);
  }

  @Override
  public Executor executor() {
    return link.executor();
  }

  @Override
  public void close() {}
}
