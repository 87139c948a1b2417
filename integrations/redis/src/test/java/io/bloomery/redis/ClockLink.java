package io.bloomery.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A link whose scripts on a window read the time from a Redis key beside it. */
final class ClockLink extends ForwardingLink {

  private static final String TIME = "redis.call('TIME')";
  private static final String SIMULATED = "redis.call('LRANGE', KEYS[1] .. ':time', 0, 1)";

  private final Map<String, List<byte[]>> sources = new HashMap<>();

  ClockLink(RedisLink link) {
    super(link);
    for (Script script : Script.values()) {
      List<byte[]> command = script.command(true, List.of(), List.of());
      if (command.size() > 1) {
        sources.put(text(command.get(1)), script.command(false, List.of(), List.of()));
      }
    }
  }

  /** Sets the time of a server for the scripts on a window. */
  static void set(RedisServer server, String window, long micros) {
    server.command(
        "EVAL",
        "redis.call('DEL', KEYS[1]); return redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])",
        "1",
        "bloomery:window:{" + window + "}:time",
        Long.toString(Math.floorDiv(micros, 1_000_000L)),
        Long.toString(Math.floorMod(micros, 1_000_000L)));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  @Override
  public CompletableFuture<List<Object>> send(
      String node, List<List<byte[]>> commands, Executor executor) {
    List<List<byte[]>> changed = new ArrayList<>();
    for (List<byte[]> command : commands) {
      List<byte[]> source =
          text(command.get(0)).equals("EVALSHA") ? sources.get(text(command.get(1))) : null;
      if (source == null) {
        changed.add(command);
        continue;
      }
      List<byte[]> whole = new ArrayList<>(command);
      whole.set(0, source.get(0));
      whole.set(1, Script.ascii(text(source.get(1)).replace(TIME, SIMULATED)));
      changed.add(whole);
    }
    return super.send(node, changed, executor);
  }
}
