package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An executor of scripts on the nodes that have their keys: those for one node in one round trip
 * and in order, several nodes concurrently. It follows redirections, and waits while a Cluster
 * moves a slot. A script whose connection fails is not run again, since it is not known whether it
 * ran.
 */
final class Calls {

  private static final byte[] ASKING = Script.ascii("ASKING");
  private static final byte[] WAIT = Script.ascii("WAIT");

  // The longest wait for a slot migration or an election, and the time between two attempts.
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 10;

  private final RedisLink link;

  Calls(RedisLink link) {
    this.link = link;
  }

  RedisLink link() {
    return link;
  }

  /** A script with its keys, the first of which selects the node. */
  record Call(Script script, List<byte[]> keys, List<byte[]> arguments) {}

  /** The number of replicas that must acknowledge a write, and the time-out for them. */
  record Wait(int replicas, long millis) {
    static final Wait NONE = new Wait(0, 0);
  }

  /** Runs scripts, and blocks the calling thread until all have replied. */
  List<Object> run(List<Call> calls, Wait wait) {
    return join(start(calls, wait, false));
  }

  Object run(Call call) {
    return run(List.of(call), Wait.NONE).get(0);
  }

  static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      // As of the calling thread, and with the message once.
      if (e.getCause() instanceof FilterUnavailableException known) {
        FilterUnavailableException here =
            new FilterUnavailableException(String.valueOf(known.getMessage()));
        here.initCause(known.getCause());
        throw here;
      }
      if (e.getCause() instanceof IllegalStateException known) {
        throw new IllegalStateException(known.getMessage(), known.getCause());
      }
      throw e;
    }
  }

  CompletableFuture<List<Object>> start(List<Call> calls, Wait wait, boolean async) {
    try {
      return new Run(calls, wait, async).round();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** One run of several scripts, until each has its reply. */
  private final class Run {

    private final List<Call> calls;
    private final Wait wait;
    private final boolean async;
    private final @Nullable Object[] replies;
    private final boolean[] unknown; // scripts that the server has not cached
    private final @Nullable String[] redirected; // the node named by a redirection
    private final boolean[] asking; // whether the slot is still being moved to that node
    private long refused; // since when, if any was
    private boolean anyRefused;
    private List<Integer> pending = new ArrayList<>();
    private boolean moved;

    Run(List<Call> calls, Wait wait, boolean async) {
      this.calls = calls;
      this.wait = wait;
      this.async = async;
      this.replies = new Object[calls.size()];
      this.unknown = new boolean[calls.size()];
      this.redirected = new String[calls.size()];
      this.asking = new boolean[calls.size()];
      for (int i = 0; i < calls.size(); i++) {
        pending.add(i);
      }
    }

    CompletableFuture<List<Object>> round() {
      Map<String, List<Integer>> byNode = new LinkedHashMap<>();
      for (int i : pending) {
        String named = redirected[i];
        String node = named == null ? link.node(calls.get(i).keys().get(0)) : named;
        byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(i);
      }
      pending = new ArrayList<>();
      moved = false;
      List<CompletableFuture<Void>> sent = new ArrayList<>();
      int left = byNode.size();
      for (Map.Entry<String, List<Integer>> node : byNode.entrySet()) {
        left--;
        // The calling thread, which waits anyway, does the last part.
        Executor executor = async || left > 0 ? link.executor() : Runnable::run;
        sent.add(send(node.getKey(), node.getValue(), executor));
      }
      return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
          .thenCompose(done -> next());
    }

    private CompletableFuture<Void> send(String node, List<Integer> indices, Executor executor) {
      List<List<byte[]>> commands = new ArrayList<>();
      for (int i : indices) {
        if (asking[i]) {
          commands.add(List.of(ASKING));
        }
        Call call = calls.get(i);
        commands.add(call.script().command(!unknown[i], call.keys(), call.arguments()));
        if (wait.replicas() > 0) {
          commands.add(
              List.of(
                  WAIT,
                  Script.ascii(Integer.toString(wait.replicas())),
                  Script.ascii(Long.toString(wait.millis()))));
        }
      }
      CompletableFuture<List<Object>> sent;
      try {
        sent = link.send(node, commands, executor);
      } catch (RuntimeException e) { // of a link of the user's, which ought to return it
        sent = CompletableFuture.failedFuture(e);
      }
      return sent.handle(
          (received, failure) -> {
            if (failure != null) {
              findNewPrimaries();
              throw Faults.of(node, failure);
            }
            receive(node, indices, received);
            return null;
          });
    }

    /**
     * Refreshes the topology, so that the next call finds the replacement of a node that does not
     * reply.
     */
    private void findNewPrimaries() {
      if (link.isCluster()) {
        CompletableFuture.runAsync(link::refresh, link.executor())
            .exceptionally(
                failure -> {
                  // The topology stays as it was; the next call fails with the reason.
                  return null;
                });
      }
    }

    private synchronized void receive(String node, List<Integer> indices, List<Object> received) {
      int at = 0;
      for (int i : indices) {
        at += asking[i] ? 1 : 0;
        Object reply = received.get(at++);
        Object waited = wait.replicas() > 0 ? received.get(at++) : null;
        redirected[i] = null;
        asking[i] = false;
        if (reply instanceof RedisErrorReply error) {
          retry(i, node, error);
          continue;
        }
        replies[i] = reply;
        if (waited instanceof Long count && count < wait.replicas()) {
          throw new FilterUnavailableException(
              "what was put is on the primary, but on "
                  + count
                  + " of "
                  + wait.replicas()
                  + " replicas only after "
                  + wait.millis()
                  + " ms, as of key "
                  + keyOf(i)
                  + "; put it again when they are there");
        }
      }
    }

    private String keyOf(int i) {
      return new String(calls.get(i).keys().get(0), StandardCharsets.US_ASCII);
    }

    private void retry(int i, String node, RedisErrorReply error) {
      if (error.is("NOSCRIPT") && !unknown[i]) {
        unknown[i] = true; // the script itself is sent next, however late it is
        pending.add(i);
        return;
      }
      if (!link.isCluster() && (error.is("ASK ") || error.is("MOVED "))) {
        throw Faults.ofACluster(node);
      } else if (error.is("ASK ")) {
        redirected[i] = named(error, node);
        asking[i] = true;
      } else if (error.is("MOVED ")) {
        // Not the node of a refreshed slot table, which may come from a node without this update.
        redirected[i] = named(error, node);
        moved = true;
      } else if (error.is("TRYAGAIN") || error.is("CLUSTERDOWN") || error.is("LOADING")) {
        moved = true;
      } else {
        throw Faults.of(node, "key " + keyOf(i), error);
      }
      // Counted from the first refusal: before it, this process may have been suspended.
      long now = System.nanoTime();
      refused = anyRefused ? refused : now;
      anyRefused = true;
      if (now - refused > PATIENCE.toNanos()) {
        throw Faults.of(node, "key " + keyOf(i), error);
      }
      pending.add(i);
    }

    /** Returns the node of a redirection; an empty host is that of the node that replies. */
    private String named(RedisErrorReply error, String replying) {
      String address = error.word(2);
      return address.startsWith(":")
          ? replying.substring(0, replying.lastIndexOf(':')) + address
          : address;
    }

    private CompletableFuture<List<Object>> next() {
      if (pending.isEmpty()) {
        List<Object> all = new ArrayList<>();
        for (Object reply : replies) {
          all.add(reply == null ? List.of() : reply);
        }
        return CompletableFuture.completedFuture(all);
      }
      pending.sort(null); // stable: equal keys stay in the order in which they were given
      if (!moved) {
        return round();
      }
      return CompletableFuture.runAsync(
              link::refresh,
              CompletableFuture.delayedExecutor(
                  PAUSE_MILLIS, TimeUnit.MILLISECONDS, link.executor()))
          .exceptionally(
              failure -> {
                throw Faults.of(String.join(", ", link.primaries()), failure);
              })
          .thenCompose(done -> round());
    }
  }
}
