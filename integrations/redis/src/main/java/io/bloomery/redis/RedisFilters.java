package io.bloomery.redis;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterHeader;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The filters of a Redis server or Cluster, by name: creates, opens, rebuilds and deletes them.
 *
 * <pre>{@code
 * RedisLink link = JedisLink.connect("redis://localhost:6379");
 * RedisFilters filters = RedisFilters.of(link);
 * FilterPlan plan =
 *     Bloomery.strings().expect(1_000_000).fpp(0.01).variant("blocked").plan();
 * BloomFilter<String> seen = BloomFilter.of(filters.create("seen", plan), KeyHasher.strings());
 * }</pre>
 *
 * <p>The variants {@code standard}, in one key, and {@code blocked}, in one or more keys, must be
 * installed. This class is thread-safe. {@code docs/redis.md} describes the keys.
 */
public final class RedisFilters {

  private final Calls calls;
  private final RedisOptions options;

  private RedisFilters(Calls calls, RedisOptions options) {
    this.calls = calls;
    this.options = options;
  }

  /** Returns the filters of a link, which the caller must close. */
  public static RedisFilters of(RedisLink link) {
    return of(link, RedisOptions.defaults());
  }

  /** Returns the filters of a link, with options. */
  public static RedisFilters of(RedisLink link, RedisOptions options) {
    return new RedisFilters(
        new Calls(Objects.requireNonNull(link, "link")),
        Objects.requireNonNull(options, "options"));
  }

  /**
   * Creates an empty filter.
   *
   * <p>It is there for other processes when this returns. If this process ends before, what it has
   * made never answers, and the next call that creates, loads or rebuilds the filter replaces it.
   * So does such a call if this takes longer than 0.2 seconds, as with a large content, and this
   * throws.
   *
   * <p>Looks for chunks of a filter of this name that has lost its record; this takes one round
   * trip for each of 16 parts of 1,024 possible chunks, a tenth of a second in all.
   *
   * @param name 1 to 200 printable ASCII characters without braces and blanks, which do not end
   *     with a slash and the number of a chunk
   * @param plan a plan of {@link io.bloomery.FilterBuilder#plan}, of {@code standard} or {@code
   *     blocked}
   * @throws IllegalArgumentException if such a filter cannot be stored on Redis; the message has
   *     the reason
   * @throws IllegalStateException if there is one of this name, or what is left of one that has
   *     lost its record, unless {@link RedisOptions#replaceLost} allows that; or if a server has
   *     not the memory for it by its {@code maxmemory}
   * @throws FilterUnavailableException if the server does not answer, or another process creates,
   *     loads or deletes it at the same time
   */
  public RedisFilter create(String name, FilterPlan plan) {
    try (RedisRebuild first = beginning(name, header(plan)).first(true)) {
      first.commit();
    }
    return open(name);
  }

  private Beginning beginning(String name, FilterHeader header) {
    return new Beginning(new Name(name), header, calls, options);
  }

  static FilterHeader header(FilterPlan plan) {
    if (!plan.variant().equals(Chunks.STANDARD) && !plan.variant().equals(Chunks.BLOCKED)) {
      throw new IllegalArgumentException(
          "a filter on Redis must be standard or blocked, but was planned as " + plan.variant());
    }
    return FilterHeader.of(
        plan.variant(),
        plan.spec(),
        TableLayout.ofBits(plan.sizeInBits()).withProbes(plan.probes()).toLayout(),
        plan.sizeInBits() / Byte.SIZE);
  }

  /**
   * Creates a filter with the content of a file, as the other method does.
   *
   * @throws IllegalArgumentException as for {@link #create}
   * @throws IllegalStateException as for {@link #create}
   * @throws FilterUnavailableException as for {@link #create}
   * @throws IOException if the file cannot be read, or is not a filter
   */
  public RedisFilter load(String name, Path file) throws IOException {
    return load(name, FilterFiles.installed().open(file));
  }

  /**
   * Creates a filter with the content of another, which must not be changed meanwhile. It serves
   * when it is complete, in one step, and is not there yet before, as {@link #create} says.
   *
   * @throws IllegalArgumentException as for {@link #create}
   * @throws IllegalStateException as for {@link #create}
   * @throws FilterUnavailableException as for {@link #create}
   * @throws IOException if the content cannot be read
   */
  public RedisFilter load(String name, Filter content) throws IOException {
    try (RedisRebuild first = beginning(name, header(content)).first(false)) {
      first.load(content);
      first.commit();
    }
    return open(name);
  }

  static FilterHeader header(Filter content) {
    return FilterHeader.of(
        content.variant(), content.spec(), content.layout(), content.payloadSize());
  }

  /**
   * Returns whether there is a filter of a name, even if it cannot answer or is not complete yet.
   *
   * @throws FilterUnavailableException if the server does not answer
   */
  public boolean exists(String name) {
    return Long.valueOf(1)
        .equals(
            calls.run(
                new Calls.Call(Script.EXISTS, List.of(new Name(name).recordKey()), List.of())));
  }

  /**
   * Opens a filter. {@link io.bloomery.BloomFilter#of} then checks that it has the user's type of
   * keys and secret.
   *
   * @throws FilterUnavailableException if there is no filter of this name, or it is not complete
   *     yet, or cannot answer; the message names the key
   */
  public RedisFilter open(String name) {
    Served served = Served.open(new Name(name), calls);
    served.verified();
    return new RedisFilter(served, options.waiting());
  }

  /**
   * Opens a filter, or creates it empty if there is none. Any number of processes may call this at
   * the same time, and all get the same filter: each waits while another makes it, and takes over
   * from one that does not go on, first after 0.2 seconds.
   *
   * <p>While {@link #load} or {@link #rebuild} fills the first generation of the filter, this
   * throws: the filter is not there yet, and is not replaced by an empty one.
   *
   * @param name as for {@link #create}
   * @param plan as for {@link #create}
   * @throws IllegalArgumentException if the filter is not as planned: its variant, expected keys,
   *     rate, hash, key form, another attribute or the life that the options give differs; the
   *     message has each. Or if it cannot be stored on Redis
   * @throws IllegalStateException as for {@link #create}, but not if there is a filter
   * @throws FilterUnavailableException as for {@link #open}, or if others make and delete it time
   *     and again
   */
  public RedisFilter openOrCreate(String name, FilterPlan plan) {
    FilterHeader header = header(plan);
    beginning(name, header).makeIfAbsent();
    RedisFilter filter = open(name);
    Difference.check(new Name(name), filter.served().current(), header, options.life());
    return filter;
  }

  /**
   * Begins a rebuild of a filter, even if it cannot answer: creates its next generation, into which
   * every put of any process goes from now on. Readers and writers continue meanwhile.
   *
   * <p>If there is no filter of this name, or its record was lost, this begins its first
   * generation: nothing answers until {@link RedisRebuild#commit}, and what is left of a lost one
   * is removed. Programs that had that one open must open the new one.
   *
   * <p>The next generation takes memory beside the current one; {@link #memory} says how much.
   *
   * @param plan a plan for the same keys; size, rate and, with one chunk, the variant may differ
   * @throws IllegalArgumentException if the plan is for other keys, or cannot be cut into chunks as
   *     the filter is
   * @throws IllegalStateException if a server has not the memory for it by its {@code maxmemory}
   * @throws FilterUnavailableException if the server does not answer, or what is there is no record
   *     of a filter
   */
  public RedisRebuild rebuild(String name, FilterPlan plan) {
    return beginning(name, header(plan)).next();
  }

  /**
   * Begins a rebuild of a filter in the layout of another, for {@link RedisRebuild#load}.
   *
   * @throws IllegalArgumentException as for the other method
   * @throws IllegalStateException as for the other method
   * @throws FilterUnavailableException as for the other method
   */
  public RedisRebuild rebuild(String name, Filter like) {
    return beginning(name, header(like)).next();
  }

  /**
   * Returns for each primary the memory that a filter takes when it is created or rebuilt with a
   * plan, besides what is there now. Both calls refuse what certainly does not fit; this says it
   * beforehand.
   *
   * @throws IllegalArgumentException as for {@link #rebuild}
   * @throws FilterUnavailableException as for {@link #rebuild}
   */
  public List<RedisMemory> memory(String name, FilterPlan plan) {
    return beginning(name, header(plan)).memory();
  }

  /** Returns the same for a filter that is loaded, or rebuilt in the layout of another. */
  public List<RedisMemory> memory(String name, Filter like) {
    return beginning(name, header(like)).memory();
  }

  /**
   * Accepts the current primaries as servers of a filter: after one was restarted or promoted, or a
   * node has joined the Cluster. The caller must know that no data was lost, or accept that
   * recently put keys may be reported as absent.
   *
   * @throws FilterUnavailableException if there is no filter of this name, or what is there is no
   *     record of one
   */
  public void accept(String name) {
    Name checked = new Name(name);
    FilterRecord.find(checked, calls);
    String accepted =
        options.isSynced() ? FilterRecord.ANY_PRIMARY : new Primaries(calls).identities();
    Object done =
        calls.run(
            new Calls.Call(
                Script.SET_FIELDS,
                List.of(checked.recordKey()),
                List.of(Script.ascii(FilterRecord.PRIMARIES), Script.ascii(accepted))));
    if (!Long.valueOf(1).equals(done)) {
      throw FilterRecord.none(checked);
    }
  }

  /**
   * Deletes a filter with all of its Redis keys, also what is left of one that has lost its record,
   * or whose load or rebuild was broken off. Looks for them as {@link #create} does.
   *
   * @return false if there was nothing of this name
   * @throws FilterUnavailableException if the server does not answer; some of it may be deleted
   */
  public boolean delete(String name) {
    Name checked = new Name(name);
    StoredKeys stored = StoredKeys.ofAny(checked, calls);
    stored.delete();
    Object deleted =
        calls.run(new Calls.Call(Script.DELETE, List.of(checked.recordKey()), List.of()));
    return !stored.sizes().isEmpty() || Long.valueOf(1).equals(deleted);
  }

  /**
   * Returns what is on the servers under a name. Looks for Redis keys as {@link #create} does.
   *
   * @return empty if there is nothing
   * @throws FilterUnavailableException if the server does not answer
   */
  public Optional<RedisFilterInfo> info(String name) {
    return new Inspection(new Name(name), calls).info();
  }

  /**
   * Returns the names of all filters on the servers, also of those that cannot answer, and of those
   * that have lost their record. Passes over all keys of each primary by {@code SCAN}: about a
   * second for each million.
   *
   * @throws FilterUnavailableException if the server does not answer
   */
  public SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>();
    new Primaries(calls)
        .scan("bloomery:{*", key -> Name.ofKey(key).ifPresent(name -> names.add(name.text())));
    return names;
  }
}
