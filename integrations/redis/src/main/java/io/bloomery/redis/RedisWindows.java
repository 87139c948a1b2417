package io.bloomery.redis;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.Filters;
import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.KeyMismatch;
import io.bloomery.redis.Primaries.NodeInfo;
import io.bloomery.window.SlidingBloomFilterBuilder;
import io.bloomery.window.SlidingPlan;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The windows of a Redis server or Cluster, by name: creates, opens and deletes them.
 *
 * <pre>{@code
 * RedisSlidingBloomFilter<String> seen =
 *     RedisWindows.of(link)
 *         .openOrCreate(
 *             "seen",
 *             SlidingBloomFilter.builder(Bloomery.strings().expect(1_000_000).variant("blocked"))
 *                 .lasting(Duration.ofHours(1)));
 * boolean isNew = seen.put(id); // to one of all processes, once an hour
 * }</pre>
 *
 * <p>A window is on one node of a Cluster. The variants {@code standard}, with generations of at
 * most 64 MiB, and {@code blocked}, with at most 1 GiB, must be installed. This class is
 * thread-safe and immutable: each method that sets something returns a new one. {@code
 * docs/redis.md} describes the keys.
 */
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class RedisWindows {

  private static final Duration LIFE_BY_TIME = Duration.ofDays(1);
  private static final Duration LIFE_BY_KEYS = Duration.ofDays(30);
  private static final int TIMES = 3;

  /** The largest part of a generation that is not cut, for the time that its creation takes. */
  private static final long MAX_UNCUT = 64L << 20;

  private final Calls calls;
  private final RedisOptions options;
  private final boolean isEvictable;

  private RedisWindows(Calls calls, RedisOptions options, boolean isEvictable) {
    this.calls = calls;
    this.options = options;
    this.isEvictable = isEvictable;
  }

  /** Returns the windows of a link, which the caller must close. */
  public static RedisWindows of(RedisLink link) {
    return of(link, RedisOptions.defaults());
  }

  /**
   * Returns the windows of a link, with options.
   *
   * <p>{@link RedisOptions#chunks} is the number of parts of a window, from 1 to 64, and at most as
   * many as a generation has blocks. The life that {@link RedisOptions#expireAfter} sets is that of
   * a window without use, and at least three times its time: each put or query keeps the window for
   * at least three quarters of it. By default this is three times the time of the window and at
   * least a day; 30 days if it counts keys.
   */
  public static RedisWindows of(RedisLink link, RedisOptions options) {
    return new RedisWindows(
        new Calls(Objects.requireNonNull(link, "link")),
        Objects.requireNonNull(options, "options"),
        false);
  }

  /**
   * Lets windows be created on servers that evict keys with a time to live when their memory is
   * full. A window that has lost a key then throws, until it is deleted and created again, and what
   * it remembered is lost.
   */
  @CheckReturnValue
  public RedisWindows evictable() {
    return new RedisWindows(calls, options, true);
  }

  /**
   * Creates an empty window.
   *
   * @param name as for {@link RedisFilters#create}; a filter may have the same
   * @param builder what the window is made for; its clocks are not used
   * @throws IllegalArgumentException if such a window is not possible, or cannot be stored on
   *     Redis; the message has the reason
   * @throws IllegalStateException if there is one of this name, or what is left of one that has
   *     lost its record, unless {@link RedisOptions#replaceLost} allows that; if the server has not
   *     the memory for it by its {@code maxmemory}; or if it may evict it, unless {@link
   *     #evictable} allows that
   * @throws FilterUnavailableException if the server does not answer
   */
  public <K> RedisSlidingBloomFilter<K> create(String name, SlidingBloomFilterBuilder<K> builder) {
    WindowRecord draft = draft(new WindowName(name), builder.plan());
    if (!created(draft)) {
      throw new IllegalStateException(
          "there is a window '"
              + name
              + "' already: Redis key "
              + draft.name().recordKeyText()
              + "; open or delete it");
    }
    return made(draft, builder.hasher());
  }

  /**
   * Opens a window.
   *
   * @param filters the type and hashing of its keys
   * @throws IllegalArgumentException if it has keys of another type or hash
   * @throws FilterUnavailableException if there is no window of this name, or it cannot answer; the
   *     message names the Redis key
   */
  public <K> RedisSlidingBloomFilter<K> open(String name, Filters<K> filters) {
    WindowName checked = new WindowName(name);
    WindowRecord found = WindowRecord.find(checked, calls);
    if (found == null) {
      throw WindowRecord.none(checked);
    }
    return opened(found, filters.hasher());
  }

  /**
   * Opens a window, or creates an empty one if there is none, as several processes may at the same
   * time: one makes it, and the others open that.
   *
   * @throws IllegalArgumentException as for {@link #create} and {@link #open}, or if the window was
   *     made for another variant, number of keys, rate, time or life, if one was set; the message
   *     has each
   * @throws IllegalStateException as for {@link #create}, but not if there is one
   * @throws FilterUnavailableException as for {@link #open}, but not if there is none
   */
  public <K> RedisSlidingBloomFilter<K> openOrCreate(
      String name, SlidingBloomFilterBuilder<K> builder) {
    WindowName checked = new WindowName(name);
    SlidingPlan plan = builder.plan();
    while (true) {
      WindowRecord found = WindowRecord.find(checked, calls);
      if (found != null) {
        RedisSlidingBloomFilter<K> opened = opened(found, builder.hasher());
        checkSame(found, plan);
        return opened;
      }
      WindowRecord draft = draft(checked, plan);
      if (created(draft)) {
        return made(draft, builder.hasher());
      }
    }
  }

  private <K> RedisSlidingBloomFilter<K> opened(WindowRecord found, KeyHasher<? super K> hasher) {
    FilterSpec spec = found.spec();
    KeyMismatch.of(
            spec.hashId(),
            spec.keyForm(),
            hasher.id(),
            hasher.keyForm().toString(),
            KeyForm.isKnown(spec.keyForm()))
        .ifPresent(
            mismatch -> {
              throw new IllegalArgumentException(mismatch.reason());
            });
    served(found).state();
    return window(found, hasher);
  }

  private ServedWindow served(WindowRecord record) {
    return new ServedWindow(record, calls, options.waiting());
  }

  private <K> RedisSlidingBloomFilter<K> window(WindowRecord record, KeyHasher<? super K> hasher) {
    return new RedisSlidingBloomFilter<>(served(record), hasher);
  }

  private <K> RedisSlidingBloomFilter<K> made(WindowRecord draft, KeyHasher<? super K> hasher) {
    ServedWindow window = served(draft);
    window.makeParts();
    return new RedisSlidingBloomFilter<>(window, hasher);
  }

  private void checkSame(WindowRecord found, SlidingPlan plan) {
    Difference difference = new Difference();
    difference.add("variant", found.header().variant(), plan.variant());
    difference.addSpec(found.spec(), plan.spec());
    difference.add("time", time(found.time()), time(plan.time()));
    if (!options.life().isEndless()) {
      difference.add("life", found.life(), options.life().duration());
    }
    difference.refuse(
        "window '" + found.name() + "'",
        found.name().recordKeyText(),
        "plan it as it is, open it, or delete it first");
  }

  private static String time(Optional<Duration> time) {
    return time.map(Duration::toString).orElse("none, as it counts keys");
  }

  private WindowRecord draft(WindowName name, SlidingPlan plan) {
    FilterHeader header = RedisFilters.header(plan.generation());
    byte[] id = new byte[WindowRecord.ID_SIZE];
    new SecureRandom().nextBytes(id);
    boolean isCut = !header.variant().equals(Chunks.STANDARD);
    int least = options.chunks(header.variant(), header.payloadSize(), 1);
    if (least > WindowName.MAX_PARTS || (!isCut && header.payloadSize() > MAX_UNCUT)) {
      throw new IllegalArgumentException(
          "a window on Redis must have generations of at most 1 GiB, 64 MiB of standard, in at most"
              + " 64 parts, but would have "
              + header.payloadSize()
              + " bytes in "
              + least
              + "; take "
              + (isCut ? "several windows, by a hash" : Chunks.BLOCKED)
              + ", or fewer keys");
    }
    plan.time()
        .filter(time -> time.toNanos() % 1000 != 0)
        .ifPresent(
            time -> {
              throw new IllegalArgumentException(
                  "the time of a window on Redis must be in whole microseconds, but was " + time);
            });
    // Small, as a script makes each, but few enough for one script to forget a generation.
    long bytes = WindowRecord.cells(header, least).bytes();
    int parts = Math.min(WindowName.MAX_PARTS, options.chunks(header.variant(), bytes, 1));
    return new WindowRecord(
        name,
        id,
        header,
        plan.spec(),
        plan.time(),
        life(plan),
        WindowRecord.cells(header, parts),
        options.isSynced() ? FilterRecord.ANY_PRIMARY : new Primaries(calls).identities());
  }

  private Duration life(SlidingPlan plan) {
    Duration least = plan.time().map(time -> time.multipliedBy(TIMES)).orElse(Duration.ZERO);
    if (!options.life().isEndless()) {
      Duration life = options.life().duration();
      if (life.compareTo(least) < 0) {
        throw new IllegalArgumentException(
            "the life of a window must be at least three times its time, "
                + least
                + ", but was "
                + life);
      }
      return life;
    }
    if (plan.time().isEmpty()) {
      return LIFE_BY_KEYS;
    }
    return least.compareTo(LIFE_BY_TIME) < 0 ? LIFE_BY_TIME : least;
  }

  /** Makes the record; returns false if there is one already. */
  private boolean created(WindowRecord draft) {
    WindowName name = draft.name();
    NodeInfo info = new Primaries(calls).info("memory").get(calls.link().node(name.recordKey()));
    if (info != null) {
      checkKept(name, info);
      RedisMemory memory = memory(draft, info);
      if (memory.isTooMuch()) {
        throw new IllegalStateException(
            "window '" + name + "' does not fit: " + memory + "; free memory or raise maxmemory");
      }
    }
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(Script.ascii(options.replacesLost() ? "1" : "0"));
    arguments.add(Script.ascii(Long.toString(draft.life().toMillis())));
    arguments.addAll(draft.fields());
    Object reply =
        calls.run(new Calls.Call(Script.WINDOW_CREATE, name.keys(WindowName.MAX_PARTS), arguments));
    if (!(reply instanceof List<?> refusal)) {
      return true;
    }
    if (refusal.size() == 1) {
      return false;
    }
    throw new IllegalStateException(
        "window '"
            + name
            + "' has lost its record: Redis key "
            + name.recordKeyText()
            + " is missing, but "
            + new String((byte[]) refusal.get(1), StandardCharsets.US_ASCII)
            + " is there, and a new window would call the keys absent that were put; delete what is"
            + " left, or create with RedisOptions.replaceLost()");
  }

  private void checkKept(WindowName name, NodeInfo info) {
    String policy = info.properties().getOrDefault("maxmemory_policy", "noeviction");
    if (!isEvictable && info.number("maxmemory") > 0 && !policy.equals("noeviction")) {
      throw new IllegalStateException(
          "window '"
              + name
              + "' must be on a server that does not evict it, but Redis at "
              + info.node()
              + " has maxmemory-policy "
              + policy
              + ", and the keys of a window have a time to live; set noeviction, or create with"
              + " RedisWindows.evictable() if what it remembers may be lost");
    }
  }

  private static RedisMemory memory(WindowRecord record, NodeInfo info) {
    RedisMemory.Count count = new RedisMemory.Count(info);
    for (int part = 0; part < record.parts(); part++) {
      count.add(record.cells().bytes(part));
    }
    return count.sum();
  }

  /**
   * Returns the memory that a window takes on its primary, besides what is there now. {@link
   * #create} refuses what certainly does not fit.
   *
   * @throws IllegalArgumentException as for {@link #create}
   * @throws FilterUnavailableException if the server does not answer
   */
  public RedisMemory memory(String name, SlidingBloomFilterBuilder<?> builder) {
    WindowRecord draft = draft(new WindowName(name), builder.plan());
    String node = calls.link().node(draft.name().recordKey());
    NodeInfo info = new Primaries(calls).info("memory").get(node);
    return info == null ? new RedisMemory.Count(node).sum() : memory(draft, info);
  }

  /**
   * Accepts the current primaries as servers of a window: after one was restarted or promoted, or a
   * node has joined the Cluster. The caller must know that no data was lost, or accept that keys
   * put last may be forgotten. No time passes for the window from the last put before to the first
   * call after.
   *
   * @throws FilterUnavailableException if there is no window of this name, or what is there is no
   *     record of one
   */
  public void accept(String name) {
    WindowName checked = new WindowName(name);
    WindowRecord.find(checked, calls);
    String accepted =
        options.isSynced() ? FilterRecord.ANY_PRIMARY : new Primaries(calls).identities();
    Object done =
        calls.run(
            new Calls.Call(
                Script.SET_FIELDS,
                List.of(checked.recordKey()),
                List.of(Script.ascii("primaries"), Script.ascii(accepted))));
    if (!Long.valueOf(1).equals(done)) {
      throw WindowRecord.none(checked);
    }
  }

  /**
   * Deletes a window with all of its Redis keys, also what is left of one that has lost its record.
   *
   * @return false if there was nothing of this name
   * @throws FilterUnavailableException if the server does not answer
   */
  public boolean delete(String name) {
    return !Long.valueOf(0)
        .equals(
            calls.run(
                new Calls.Call(
                    Script.DELETE, new WindowName(name).keys(WindowName.MAX_PARTS), List.of())));
  }

  /**
   * Returns what is on the server under a name.
   *
   * @return empty if there is nothing
   * @throws FilterUnavailableException if the server does not answer
   */
  public Optional<RedisWindowInfo> info(String name) {
    WindowName checked = new WindowName(name);
    List<byte[]> keys = checked.keys(WindowName.MAX_PARTS);
    int found = ((Long) calls.run(new Calls.Call(Script.EXISTS, keys, List.of()))).intValue();
    if (found == 0) {
      return Optional.empty();
    }
    List<?> sizes = (List<?>) calls.run(new Calls.Call(Script.SIZES, keys, List.of()));
    long bytes = sizes.subList(0, keys.size()).stream().mapToLong(size -> (Long) size).sum();
    WindowRecord record = null;
    ServedWindow.State state = null;
    String problem = "";
    try {
      record = WindowRecord.find(checked, calls);
      if (record == null) {
        throw WindowRecord.none(checked);
      }
      state = served(record).state();
    } catch (FilterUnavailableException e) {
      problem = String.valueOf(e.getMessage());
    }
    return Optional.of(
        new RedisWindowInfo(
            name,
            problem,
            Optional.ofNullable(record).map(WindowRecord::spec),
            Optional.ofNullable(record).flatMap(WindowRecord::time),
            state == null ? List.of() : state.taken(),
            Optional.ofNullable(state).map(known -> Duration.ofMillis(known.millisLeft())),
            found,
            bytes));
  }

  /**
   * Returns the names of all windows on the servers, also of those that cannot answer. Passes over
   * all keys of each primary by {@code SCAN}: about a second for each million.
   *
   * @throws FilterUnavailableException if the server does not answer
   */
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>();
    new Primaries(calls)
        .scan(
            WindowName.KEYS,
            key -> WindowName.ofKey(key).ifPresent(name -> names.add(name.toString())));
    return names;
  }
}
