package io.bloomery.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToLongFunction;

/** A link whose scripts are told the time of their server. */
final class ClockLink extends ForwardingLink {

  private static final String TIME = "redis.call('TIME')";

  private final Map<String, String> sources = new HashMap<>();
  private final ToLongFunction<String> clocks;

  /**
   * Creates a link.
   *
   * @param clocks the microseconds since 1970 of each node
   */
  ClockLink(RedisLink link, ToLongFunction<String> clocks) {
    super(link);
    this.clocks = clocks;
    for (Script script : Script.values()) {
      List<byte[]> command = script.command(true, List.of(), List.of());
      if (command.size() > 1) {
        sources.put(text(command.get(1)), text(script.command(false, List.of(), List.of()).get(1)));
      }
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Override
  public CompletableFuture<List<Object>> send(
      String node, List<List<byte[]>> commands, Executor executor) {
    List<List<byte[]>> changed = new ArrayList<>();
    for (List<byte[]> command : commands) {
      String source =
          text(command.get(0)).equals("EVALSHA") ? sources.get(text(command.get(1))) : null;
      if (source == null || !source.contains(TIME)) {
        changed.add(command);
        continue;
      }
      long now = clocks.applyAsLong(node);
      List<byte[]> whole = new ArrayList<>(command);
      whole.set(0, Script.ascii("EVAL"));
      whole.set(
          1,
          Script.ascii(
              source.replace(TIME, "{'" + now / 1_000_000 + "', '" + now % 1_000_000 + "'}")));
      changed.add(whole);
    }
    return super.send(node, changed, executor);
  }
}
