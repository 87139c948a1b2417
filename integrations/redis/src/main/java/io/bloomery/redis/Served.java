package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The known generation of each chunk of a filter. Each script states the generation that it
 * expects; if the server reports another, the knowledge is updated and the script is repeated.
 */
final class Served {

  /** The current generation of a chunk, and the one that is being filled beside it. */
  record Chunk(Generation current, @Nullable Generation next) {}

  // Changing all chunks takes some round trips.
  private static final int MIXED_ATTEMPTS = 20;
  private static final long MIXED_PAUSE_NANOS = 10_000_000;

  private final Name name;
  private final Calls calls;
  private final AtomicReferenceArray<Chunk> chunks;
  private final AtomicReference<@Nullable CompletableFuture<Void>> renewing =
      new AtomicReference<>();
  private volatile FilterRecord record;
  private volatile @Nullable Deadline deadline; // null if there is none

  private Served(Name name, Calls calls, FilterRecord record, Deadline asked) {
    this.name = name;
    this.calls = calls;
    this.record = record;
    this.deadline = deadline(asked, record);
    this.chunks = new AtomicReferenceArray<>(record.current().chunks().count());
    for (int i = 0; i < chunks.length(); i++) {
      chunks.set(i, new Chunk(record.current(), record.next()));
    }
  }

  /**
   * Opens a filter.
   *
   * @throws FilterUnavailableException if there is none of this name, or it is not complete yet
   */
  static Served open(Name name, Calls calls) {
    Deadline asked = Deadline.in(0);
    return new Served(
        name,
        calls,
        FilterRecord.of(name, (List<?>) calls.run(FilterRecord.readCall(name))),
        asked);
  }

  private static @Nullable Deadline deadline(Deadline asked, FilterRecord record) {
    return record.leftMillis() < 0 ? null : asked.withLeft(record.leftMillis());
  }

  Name name() {
    return name;
  }

  Calls calls() {
    return calls;
  }

  int count() {
    return chunks.length();
  }

  /** Returns the last known state of a chunk. */
  Chunk chunk(int number) {
    return chunks.get(number);
  }

  /** Returns the last known current generation. */
  Generation current() {
    return chunk(0).current();
  }

  /**
   * Reads the record again.
   *
   * @param missing a chunk whose key is missing, or -1
   * @return a future that fails if the filter is no longer the one that was opened
   */
  CompletableFuture<Void> refresh(boolean async, int missing) {
    Deadline asked = Deadline.in(0);
    return calls
        .start(List.of(FilterRecord.readCall(name)), Calls.Wait.NONE, async)
        .thenAccept(
            replies -> {
              List<?> fields = (List<?>) replies.get(0);
              if (fields.isEmpty() && isPast(deadline)) {
                throw ended();
              }
              if (fields.isEmpty() && missing >= 0) {
                throw missing(name.chunkKeyText(missing));
              }
              FilterRecord found = FilterRecord.of(name, fields);
              if (!found.current().isOfFilterOf(current())) {
                throw new FilterUnavailableException(
                    "cannot answer: filter '"
                        + name
                        + "' was deleted and made anew, as Redis key "
                        + name.recordKeyText()
                        + " says; open it again");
              }
              record = found;
              deadline = deadline(asked, found);
              // Primaries may have been accepted meanwhile.
              for (int i = 0; i < chunks.length(); i++) {
                chunks.updateAndGet(i, this::withNews);
              }
            });
  }

  private static boolean isPast(@Nullable Deadline deadline) {
    return deadline != null && deadline.left() <= 0;
  }

  private FilterUnavailableException ended() {
    return new FilterUnavailableException(
        "there is no filter '"
            + name
            + "' any more: its life has ended, and Redis key "
            + name.recordKeyText()
            + " with it; create or load it again");
  }

  /**
   * Reads the record again if it may have expired: its chunks are there for longer.
   *
   * @return a future that fails if it has
   */
  CompletableFuture<Void> alive(boolean async) {
    return isPast(deadline) ? refresh(async, -1) : CompletableFuture.completedFuture(null);
  }

  /** Begins the life of the filter anew after a put, if puts do and more than a quarter is over. */
  CompletableFuture<Void> renewed(boolean async) {
    if (!isRenewalDue()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> others = renewing.compareAndExchange(null, mine);
    if (others != null) {
      return others;
    }
    return renew(async)
        .whenComplete(
            (done, failure) -> {
              renewing.set(null);
              if (failure == null) {
                mine.complete(null);
              } else {
                mine.completeExceptionally(failure);
              }
            });
  }

  private boolean isRenewalDue() {
    Deadline known = deadline;
    Life life = record.current().life();
    return known != null && life.isRenewed() && known.left() < life.millis() / 4 * 3;
  }

  /** Renews the chunks, and then the record: it must not outlive them if this is broken off. */
  private CompletableFuture<Void> renew(boolean async) {
    FilterRecord known = record;
    Deadline asked = Deadline.in(Life.GRACE_MILLIS / 2);
    return calls
        .start(renewalsOfChunks(known), Calls.Wait.NONE, async)
        .thenCompose(replies -> refresh(async, -1).thenApply(read -> replies.contains(0L)))
        .thenCompose(
            anyIsOther -> {
              FilterRecord found = record;
              if (anyIsOther && found.hasGenerationsOf(known)) {
                return CompletableFuture.completedFuture(null); // a chunk was lost
              }
              if (anyIsOther || asked.left() <= 0) {
                return isRenewalDue() ? renew(async) : CompletableFuture.completedFuture(null);
              }
              return calls
                  .start(List.of(renewalOf(found, known.current().life())), Calls.Wait.NONE, async)
                  .thenCompose(
                      renewed -> {
                        if (renewed.contains(0L)) { // another generation has just begun to serve
                          return refresh(async, -1);
                        }
                        deadline = asked.withLeft(known.current().life().millis());
                        return CompletableFuture.completedFuture(null);
                      });
            });
  }

  private List<Calls.Call> renewalsOfChunks(FilterRecord known) {
    List<Calls.Call> renewals = new ArrayList<>();
    for (int chunk = 0; chunk < count(); chunk++) {
      List<byte[]> arguments = new ArrayList<>();
      arguments.add(Script.ascii(known.current().life().ofChunk()));
      arguments.add(known.current().prefix(chunk));
      if (known.next() != null) { // its change is under way, or was broken off
        arguments.add(known.next().prefix(chunk));
      }
      renewals.add(new Calls.Call(Script.RENEW_CHUNK, List.of(name.chunkKey(chunk)), arguments));
    }
    return renewals;
  }

  private Calls.Call renewalOf(FilterRecord found, Life life) {
    Generation current = found.current();
    return new Calls.Call(
        Script.RENEW,
        List.of(name.recordKey()),
        List.of(
            Script.ascii(Long.toString(current.sequence())),
            current.id(),
            Script.ascii(Long.toString(found.now() + life.millis()))));
  }

  private Chunk withNews(Chunk known) {
    Generation current = news(known.current());
    return new Chunk(
        current == null ? record.current() : current,
        known.next() == null ? record.next() : news(known.next()));
  }

  private @Nullable Generation news(@Nullable Generation known) {
    if (known == null) {
      return null;
    }
    Generation found = record.generations().get(known.sequence());
    return found != null && found.is(known) ? found : null;
  }

  /**
   * Updates the known state by the refusal of a script, which is then to be repeated: at once, or
   * if the record does not explain the refusal, after the record was read.
   *
   * @param unexplained the refusals of this batch that the record did not explain, added to here
   * @throws FilterUnavailableException if another attempt cannot succeed
   */
  void learn(int chunk, List<?> refusal, Refusals unexplained) {
    String code = text(refusal.get(0));
    switch (code) {
      case "P" -> {
        if (!unexplained.add(chunk, refusal)) {
          throw otherPrimary(chunk, text(refusal.get(1)));
        }
      }
      case "G", "N" -> {
        byte[] found = (byte[]) refusal.get(1);
        boolean isNext = code.equals("N");
        boolean isMissing = found.length == 0;
        Generation generation = isMissing ? null : find(found, chunk);
        if (generation == null && !(isMissing && isNext)) {
          if (!unexplained.add(chunk, refusal)) {
            throw isMissing ? missing(name.chunkKeyText(chunk)) : unknown(chunk, isNext, found);
          }
          return;
        }
        Chunk known = chunks.get(chunk);
        chunks.compareAndSet(
            chunk,
            known,
            isNext
                ? new Chunk(known.current(), generation)
                : new Chunk(java.util.Objects.requireNonNull(generation), known.next()));
      }
      default -> throw damaged(chunk, String.valueOf(refusal.get(1)));
    }
  }

  private @Nullable Generation find(byte[] prefix, int chunk) {
    Generation generation = record.generations().get(Generation.sequence(prefix));
    if (generation == null) {
      return null;
    }
    if (Arrays.equals(prefix, generation.prefix(chunk))) {
      return generation;
    }
    Generation sealed = generation.asSealed();
    return Arrays.equals(prefix, sealed.prefix(chunk)) ? sealed : null;
  }

  private static FilterUnavailableException missing(String key) {
    return new FilterUnavailableException(
        "cannot answer: Redis key "
            + key
            + " is missing: it was deleted, evicted or has expired; rebuild the filter, and keep its"
            + " keys from that");
  }

  private FilterUnavailableException otherPrimary(int chunk, String found) {
    if (found.startsWith("slave")) {
      throw Faults.replica(calls.link().node(name.chunkKey(chunk)));
    }
    return new FilterUnavailableException(
        "cannot answer: the Redis server that has key "
            + name.chunkKeyText(chunk)
            + " is none that filter '"
            + name
            + "' was accepted on, but a "
            + found
            + ": it was restarted or promoted, and may lack what was put last; rebuild the filter, or"
            + " accept the server if nothing can have been lost");
  }

  private FilterUnavailableException unknown(int chunk, boolean isNext, byte[] found) {
    return new FilterUnavailableException(
        "cannot answer: Redis key "
            + name.chunkKeyText(chunk)
            + (isNext ? ":next" : "")
            + " is of no generation that "
            + name.recordKeyText()
            + " has: "
            + (Generation.sequence(found) < 0
                ? "it is no chunk of a filter"
                : "it says " + Generation.sequence(found))
            + "; open the filter again if it was made anew, else rebuild it");
  }

  private FilterUnavailableException damaged(int chunk, String length) {
    return new FilterUnavailableException(
        "cannot answer: Redis key "
            + name.chunkKeyText(chunk)
            + " must be as long as its generation says, but has "
            + length
            + " bytes; rebuild the filter");
  }

  private static String text(Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, java.nio.charset.StandardCharsets.US_ASCII)
        : String.valueOf(reply);
  }

  /**
   * Runs a script on every chunk, and again if the reply updates the known generation of the chunk.
   */
  List<Object> onEachChunk(Script script, ChunkArguments arguments) {
    Calls.join(alive(false));
    Object[] results = new Object[count()];
    List<Integer> pending = new ArrayList<>();
    for (int i = 0; i < count(); i++) {
      pending.add(i);
    }
    Refusals unexplained = new Refusals();
    for (int attempt = 0; !pending.isEmpty(); attempt++) {
      checkAttempt(attempt);
      List<Calls.Call> asked = new ArrayList<>();
      for (int chunk : pending) {
        asked.add(arguments.call(script, chunk, chunk(chunk)));
      }
      List<Object> replies = calls.run(asked, Calls.Wait.NONE);
      List<Integer> again = new ArrayList<>();
      for (int i = 0; i < replies.size(); i++) {
        int chunk = pending.get(i);
        if (replies.get(i) instanceof List<?> refusal) {
          learn(chunk, refusal, unexplained);
          again.add(chunk);
        } else {
          results[chunk] = replies.get(i);
        }
      }
      if (unexplained.needRecord()) {
        Calls.join(refresh(false, unexplained.missing()));
        unexplained.recordIsRead();
      }
      pending = again;
    }
    return List.of(results);
  }

  /** A factory of the arguments of a script for a chunk. */
  interface ChunkArguments {
    Calls.Call call(Script script, int chunk, Chunk served);
  }

  void checkAttempt(int attempt) {
    if (attempt == 32) {
      throw new FilterUnavailableException(
          "cannot answer: the chunks of filter '"
              + name
              + "' change faster than they can be asked; do not run several rebuilds at a time");
    }
  }

  /** Returns the arguments with which every script on a chunk begins. */
  static List<byte[]> fence(Generation generation, int chunk) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(Script.ascii(generation.primaries()));
    arguments.add(generation.prefix(chunk));
    arguments.add(Script.ascii(Long.toString(generation.chunks().bytes(chunk))));
    return arguments;
  }

  /**
   * Returns the common generation of all chunks, verified with the server. Waits a little while the
   * chunks are being changed from one generation to the next, and completes the change if it takes
   * longer: whoever began it may have ended.
   *
   * @throws FilterUnavailableException if they have no common generation then, either
   */
  Generation verified() {
    for (int attempt = 1; ; attempt++) {
      onEachChunk(
          Script.PROBE,
          (script, chunk, served) ->
              new Calls.Call(
                  script, List.of(name.chunkKey(chunk)), fence(served.current(), chunk)));
      // Other threads may learn of the next change meanwhile: each chunk is looked at once.
      List<Generation> found =
          IntStream.range(0, count()).mapToObj(i -> chunk(i).current()).toList();
      OptionalInt other =
          IntStream.range(1, count()).filter(i -> !found.get(i).is(found.get(0))).findFirst();
      if (other.isEmpty()) {
        return found.stream().filter(each -> !each.sealed()).findFirst().orElse(found.get(0));
      }
      if (attempt >= MIXED_ATTEMPTS && !completed()) {
        throw mixed(found, other.getAsInt());
      }
      LockSupport.parkNanos(MIXED_PAUSE_NANOS);
    }
  }

  /** Completes a change of all chunks that was broken off, if that is possible. */
  private boolean completed() {
    Calls.join(refresh(false, -1));
    Generation next = record.next();
    try {
      return next != null && new Changeover(name, calls, next).complete();
    } catch (FilterUnavailableException e) {
      // The exception about the chunks says more.
      return false;
    }
  }

  private FilterUnavailableException mixed(List<Generation> found, int other) {
    return new FilterUnavailableException(
        "filter '"
            + name
            + "' is just being changed from one generation to the next, or such a change was"
            + " broken off: key "
            + name.chunkKeyText(0)
            + " is of generation "
            + found.get(0).sequence()
            + ", but "
            + name.chunkKeyText(other)
            + " of "
            + found.get(other).sequence()
            + "; try again, or rebuild it if that does not help");
  }
}
