package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterUnavailableException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a generation of a filter: of its first one, or of one beside that which serves.
 * The record names it before any of its chunks is there, and has the one that was begun last.
 */
final class Beginning {
  // decisions.md#the-first-content-of-a-filter-is-loaded-as-a-rebuild-is-beside-nothing
  // decisions.md#whoever-loads-last-takes-over-and-nobody-holds-a-lease

  // A filter without content is made in some round trips: whoever meets another that is just
  // making one lets it.
  private static final int ATTEMPTS = 10;
  private static final long PAUSE_NANOS = 20_000_000;

  // Whoever loses its place to another that waited less waits twice as long for the next.
  private static final int LOSSES = 7;

  private final Name name;
  private final FilterHeader header;
  private final Calls calls;
  private final RedisOptions options;

  Beginning(Name name, FilterHeader header, Calls calls, RedisOptions options) {
    this.name = name;
    this.header = header;
    this.calls = calls;
    this.options = options;
  }

  /** A generation that could be begun, and what is on the servers instead. */
  private record Draft(Generation generation, @Nullable FilterRecord record, StoredKeys stored) {

    boolean isFirst() {
      return record == null || record.isFirst();
    }
  }

  /**
   * Begins the first generation of a filter that is not there.
   *
   * @param isMadeEmpty whether it gets no content before it serves
   * @throws IllegalStateException if it is, or what is left of one that was lost
   */
  RedisRebuild first(boolean isMadeEmpty) {
    for (int attempt = 1; ; attempt++) {
      FilterRecord record = FilterRecord.find(name, calls);
      if (record != null && !record.isFirst()) {
        throw new IllegalStateException(
            "there is a filter '"
                + name
                + "' already: Redis key "
                + name.recordKeyText()
                + "; open, rebuild or delete it");
      }
      if (record == null || attempt == ATTEMPTS) {
        RedisRebuild begun = begin(record, isMadeEmpty);
        if (begun != null) {
          return begun;
        }
      }
      if (attempt >= ATTEMPTS) {
        throw new IllegalStateException(
            "filter '"
                + name
                + "' is just being made by somebody else, as Redis key "
                + name.recordKeyText()
                + " says; open it, or try again");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Begins the first generation in place of what was found; returns null if that has changed. */
  private @Nullable RedisRebuild begin(@Nullable FilterRecord found, boolean isMadeEmpty) {
    Draft draft = draft(found);
    if (found == null && !options.replacesLost() && !draft.stored().served().isEmpty()) {
      if (FilterRecord.find(name, calls) != null) {
        return null; // the chunks are of one that was made since
      }
      throw lost(draft.stored().served());
    }
    return begin(draft, isMadeEmpty);
  }

  /**
   * Makes the filter without content if it is not there. Others may do so at the same time: this
   * waits for them, and takes the place of one that does not go on.
   *
   * @throws FilterUnavailableException if the first content of the filter is being loaded
   */
  void makeIfAbsent() {
    Generation seen = null;
    long since = 0;
    long patience = ATTEMPTS * PAUSE_NANOS;
    int losses = 0;
    while (true) {
      FilterRecord record = FilterRecord.find(name, calls);
      if (record != null && (!record.isFirst() || !record.isMadeEmpty())) {
        record.current();
        return;
      }
      Generation next = record == null ? null : record.next();
      if (next != null) {
        if (seen == null || !seen.is(next)) {
          seen = next;
          since = System.nanoTime();
        }
        if (System.nanoTime() - since < patience) {
          LockSupport.parkNanos(PAUSE_NANOS);
          continue;
        }
      }
      try (RedisRebuild begun = begin(record, true)) {
        if (begun != null) {
          begun.commit();
          return;
        }
      } catch (FilterUnavailableException e) {
        // Somebody took its place; or the server does not answer, as is seen next.
        if (++losses == LOSSES) {
          throw e;
        }
        patience *= 2;
      }
    }
  }

  private IllegalStateException lost(List<Integer> served) {
    return new IllegalStateException(
        "filter '"
            + name
            + "' has lost its record: Redis key "
            + name.recordKeyText()
            + " is missing, but "
            + name.chunkKeyText(served.get(0))
            + (served.size() == 1 ? " is" : " and " + (served.size() - 1) + " more are")
            + " there, and a new filter would call the keys absent that were put; rebuild it from"
            + " its source, delete what is left, or create with RedisOptions.replaceLost()");
  }

  /**
   * Begins the next generation of a filter, or the first if it has none.
   *
   * @throws FilterUnavailableException if others begin some at the same time, or what is there is
   *     no record
   */
  RedisRebuild next() {
    for (int attempt = 1; ; attempt++) {
      RedisRebuild begun = begin(draft(settled()), false);
      if (begun != null) {
        return begun;
      }
      if (attempt == ATTEMPTS) {
        throw new FilterUnavailableException(
            "filter '"
                + name
                + "' is just being made or deleted by somebody else, as Redis key "
                + name.recordKeyText()
                + " says; try again, and do not run several loads or rebuilds at a time");
      }
    }
  }

  /** Reads the record, after a change to the next generation that was broken off is complete. */
  private @Nullable FilterRecord settled() {
    FilterRecord record = FilterRecord.find(name, calls);
    if (record == null || record.isFirst() || record.next() == null) {
      return record;
    }
    try {
      return new Changeover(name, calls, record.next()).complete()
          ? FilterRecord.find(name, calls)
          : record;
    } catch (FilterUnavailableException e) {
      // It cannot be completed any more, or cannot answer: the new generation takes its place.
      return record;
    }
  }

  /** Returns for each primary what it takes to begin a generation now. */
  List<RedisMemory> memory() {
    return memory(draft(FilterRecord.find(name, calls)));
  }

  private Draft draft(@Nullable FilterRecord record) {
    if (record == null || record.isFirst()) {
      int count =
          options.chunks(header.variant(), header.payloadSize(), calls.link().primaries().size());
      Generation before = record == null ? null : record.next();
      return new Draft(
          generation(count, before, options.life()), record, StoredKeys.ofAny(name, calls));
    }
    Generation before = record.current();
    checkKeys(before.header());
    Life life = options.life().isEndless() ? before.life() : options.life();
    Generation draft = generation(before.chunks().count(), before, life);
    if (!draft.chunks().isCutLike(before.chunks())) {
      throw new IllegalArgumentException(
          "filter '"
              + name
              + "' is cut into "
              + before.chunks().count()
              + " chunks by blocks of another size than those of "
              + header
              + ", so that keys would change their slots; keep to rates on the same side of 1 %, or"
              + " create another filter");
    }
    return new Draft(draft, record, StoredKeys.of(name, calls, before.chunks().count()));
  }

  private void checkKeys(FilterHeader before) {
    if (!before.spec().hashId().equals(header.spec().hashId())
        || !before.spec().keyForm().equals(header.spec().keyForm())) {
      throw new IllegalArgumentException(
          "filter '"
              + name
              + "' is of keys by "
              + before.spec().hashId()
              + " in form "
              + before.spec().keyForm()
              + ", but its next generation would be by "
              + header.spec().hashId()
              + " in form "
              + header.spec().keyForm()
              + "; create another filter");
    }
  }

  /** Returns a generation of the same filter as another, or of a new one. */
  private Generation generation(int chunks, @Nullable Generation before, Life life) {
    byte[] id = new byte[Generation.ID_SIZE];
    new SecureRandom().nextBytes(id);
    if (before != null) {
      System.arraycopy(before.id(), 0, id, 0, Generation.FILTER_ID_SIZE);
    }
    return new Generation(
        before == null ? 1 : before.sequence() + 1,
        id,
        header.toBytes(),
        header,
        new Chunks(header.variant(), header.layout(), header.payloadSize(), chunks),
        options.isSynced() ? FilterRecord.ANY_PRIMARY : new Primaries(calls).identities(),
        life,
        false);
  }

  private List<RedisMemory> memory(Draft draft) {
    Map<String, RedisMemory.Count> byNode = new TreeMap<>();
    new Primaries(calls)
        .info("memory")
        .forEach((node, info) -> byNode.put(node, new RedisMemory.Count(info)));
    IntFunction<RedisMemory.Count> counts =
        chunk -> {
          String node = calls.link().node(name.chunkKey(chunk));
          return byNode.computeIfAbsent(node, RedisMemory.Count::new);
        };
    Chunks chunks = draft.generation().chunks();
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      counts.apply(chunk).add(chunks.bytes(chunk));
    }
    draft
        .stored()
        .sizes()
        .forEach(
            (chunk, sizes) -> {
              counts.apply(chunk).replace(sizes.next());
              if (draft.isFirst()) {
                counts.apply(chunk).replace(sizes.current());
              } else {
                counts.apply(chunk).keep(sizes.current());
              }
            });
    return byNode.values().stream().map(RedisMemory.Count::sum).toList();
  }

  /** Begins a generation; returns null if what is on the servers has changed meanwhile. */
  private @Nullable RedisRebuild begin(Draft draft, boolean isMadeEmpty) {
    List<RedisMemory> tooMuch = memory(draft).stream().filter(RedisMemory::isTooMuch).toList();
    if (!tooMuch.isEmpty()) {
      throw new IllegalStateException(
          "filter '"
              + name
              + "' does not fit: "
              + tooMuch.stream().map(RedisMemory::toString).collect(Collectors.joining("; "))
              + "; free memory or raise maxmemory"
              + (!draft.isFirst() && tooMuch.stream().allMatch(RedisMemory::fitsWithoutServing)
                  ? ", or delete the filter first and load it then"
                  : ""));
    }
    if (!draft.generation().life().isEndless()) {
      checkPolicies();
    }
    Generation next =
        draft.isFirst() ? recordedFirst(draft, isMadeEmpty) : recorded(draft.generation());
    if (next == null) {
      return null;
    }
    RedisRebuild begun = new RedisRebuild(name, calls, next);
    try {
      if (draft.isFirst()) {
        draft.stored().sweep(next);
      }
      new GenerationWords(name, calls, next, Name.Role.NEXT).makeChunks();
      return begun;
    } catch (RuntimeException e) {
      try {
        begun.close();
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  /** Refuses servers that evict what expires before anything else. */
  private void checkPolicies() {
    new Primaries(calls)
        .info("memory")
        .forEach(
            (node, info) -> {
              String policy = info.properties().getOrDefault("maxmemory_policy", "");
              if (info.number("maxmemory") > 0 && policy.startsWith("volatile-")) {
                throw new IllegalStateException(
                    "filter '"
                        + name
                        + "' is to expire, but Redis node "
                        + node
                        + " evicts such keys before others when its memory is full, by its"
                        + " maxmemory-policy "
                        + policy
                        + "; set noeviction there, or let the filter live on");
              }
            });
  }

  private @Nullable Generation recordedFirst(Draft draft, boolean isMadeEmpty) {
    FilterRecord record = draft.record();
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(record == null || record.next() == null ? new byte[0] : record.next().id());
    arguments.addAll(FilterRecord.fields(draft.generation(), isMadeEmpty));
    return Long.valueOf(1).equals(run(Script.CREATE, arguments)) ? draft.generation() : null;
  }

  private @Nullable Generation recorded(Generation draft) {
    Object number =
        run(
            Script.BEGIN,
            List.of(
                draft.headerBytes(),
                draft.id(),
                Script.ascii(draft.primaries()),
                Script.ascii(draft.life().isEndless() ? "" : draft.life().text())));
    return number instanceof Long sequence && sequence > 0 ? draft.asNumber(sequence) : null;
  }

  private Object run(Script script, List<byte[]> arguments) {
    return calls.run(new Calls.Call(script, List.of(name.recordKey()), arguments));
  }
}
