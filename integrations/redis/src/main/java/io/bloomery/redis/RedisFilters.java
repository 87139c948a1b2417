package io.bloomery.redis;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterHeader;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a Redis server or Cluster, by name: creates, opens, rebuilds and deletes them.
 *
 * <pre>{@code
 * RedisLink link = JedisLink.connect("redis://localhost:6379");
 * RedisFilters filters = RedisFilters.of(link);
 * FilterPlan plan =
 *     Bloomery.strings().expect(1_000_000).fpp(0.01).variant("split-block").plan();
 * BloomFilter<String> seen = BloomFilter.of(filters.create("seen", plan), KeyHasher.strings());
 * }</pre>
 *
 * <p>The variants {@code standard}, in one key, and {@code split-block}, in one or more keys, must
 * be installed. This class is thread-safe. {@code docs/redis.md} describes the keys.
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
   * @param name 1 to 200 printable ASCII characters without braces and blanks
   * @param plan a plan of {@link io.bloomery.FilterBuilder#plan}, of {@code standard} or {@code
   *     split-block}
   * @throws IllegalArgumentException if such a filter cannot be stored on Redis; the message has
   *     the reason
   * @throws IllegalStateException if there is one of this name
   * @throws FilterUnavailableException if the server does not answer
   */
  public RedisFilter create(String name, FilterPlan plan) {
    return create(new Name(name), header(plan));
  }

  private RedisFilter create(Name name, FilterHeader header) {
    int chunks =
        options.chunks(header.variant(), header.payloadSize(), calls.link().primaries().size());
    Generation first = generation(1, header, chunks, null);
    Object created =
        calls.run(
            new Calls.Call(Script.CREATE, List.of(name.recordKey()), FilterRecord.fields(first)));
    if (!Long.valueOf(1).equals(created)) {
      throw new IllegalStateException(
          "there is a filter '"
              + name
              + "' already: Redis key "
              + name.recordKeyText()
              + "; open, rebuild or delete it");
    }
    try {
      new GenerationWords(name, calls, first, Name.Role.CURRENT).makeChunks();
      return open(name.text());
    } catch (RuntimeException e) {
      try {
        delete(name.text());
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  static FilterHeader header(FilterPlan plan) {
    if (!plan.variant().equals(Chunks.STANDARD) && !plan.variant().equals(Chunks.SPLIT_BLOCK)) {
      throw new IllegalArgumentException(
          "a filter on Redis must be standard or split-block, but was planned as "
              + plan.variant());
    }
    return FilterHeader.of(
        plan.variant(),
        plan.spec(),
        TableLayout.ofBits(plan.sizeInBits()).withProbes(plan.probes()).toLayout(),
        plan.sizeInBits() / Byte.SIZE);
  }

  /** Creates a generation, whose servers are the current primaries. */
  private Generation generation(
      long sequence, FilterHeader header, int chunks, @Nullable Generation before) {
    byte[] id = new byte[Generation.ID_SIZE];
    new SecureRandom().nextBytes(id);
    if (before != null) {
      System.arraycopy(before.id(), 0, id, 0, Generation.FILTER_ID_SIZE);
    }
    return new Generation(
        sequence,
        id,
        header.toBytes(),
        header,
        new Chunks(header.variant(), header.layout(), header.payloadSize(), chunks),
        primaries(),
        false);
  }

  /**
   * Returns for each primary the id of its run and the replication history that it was promoted
   * from, or that every primary is trusted.
   */
  private String primaries() {
    if (options.isSynced()) {
      return FilterRecord.ANY_PRIMARY;
    }
    RedisLink link = calls.link();
    try {
      link.refresh();
    } catch (RuntimeException e) {
      throw new FilterUnavailableException(
          "the Redis Cluster must tell its nodes, but does not", e);
    }
    Set<String> primaries = new TreeSet<>();
    for (String node : link.primaries()) {
      primaries.add(
          info(node, "server", "run_id") + "/" + info(node, "replication", "master_replid2"));
    }
    return String.join(" ", primaries);
  }

  private String info(String node, String section, String property) {
    Object reply;
    try {
      List<byte[]> command = List.of(Script.ascii("INFO"), Script.ascii(section));
      reply = calls.link().send(node, List.of(command), Runnable::run).join().get(0);
    } catch (CompletionException e) {
      throw new FilterUnavailableException("Redis node " + node + " does not reply", e);
    }
    Matcher found =
        Pattern.compile(property + ":([0-9a-f]+)")
            .matcher(
                reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.US_ASCII) : "");
    if (!found.find()) {
      throw new FilterUnavailableException(
          "Redis node "
              + node
              + " must say its "
              + property
              + " in INFO "
              + section
              + ", but says "
              + (reply instanceof RedisErrorReply error ? error.message() : "it not")
              + "; allow the command");
    }
    return found.group(1);
  }

  /**
   * Creates a filter with the content of a file.
   *
   * @throws IllegalArgumentException as for {@link #create}
   * @throws IllegalStateException if there is one of this name
   * @throws IOException if the file cannot be read, or is not a filter
   */
  public RedisFilter load(String name, Path file) throws IOException {
    return load(name, FilterFiles.installed().open(file));
  }

  /**
   * Creates a filter with the content of another, which must not be changed meanwhile.
   *
   * @throws IllegalArgumentException as for {@link #create}
   * @throws IllegalStateException if there is one of this name
   * @throws IOException if the content cannot be read
   */
  public RedisFilter load(String name, Filter content) throws IOException {
    RedisFilter created = create(new Name(name), header(content));
    try {
      Generation generation = created.served().verified();
      content.writePayload(
          new GenerationWords(new Name(name), calls, generation, Name.Role.CURRENT).output());
      return created;
    } catch (IOException | RuntimeException e) {
      try {
        delete(name);
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  static FilterHeader header(Filter content) {
    return FilterHeader.of(
        content.variant(), content.spec(), content.layout(), content.payloadSize());
  }

  /**
   * Returns whether there is a filter of a name, even if it cannot answer.
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
   * @throws FilterUnavailableException if there is no filter of this name, or it cannot answer; the
   *     message names the key
   */
  public RedisFilter open(String name) {
    Served served = Served.open(new Name(name), calls);
    served.verified();
    return new RedisFilter(served, options.waiting());
  }

  /**
   * Begins a rebuild of a filter, even if it cannot answer: creates its next generation, into which
   * every put of any process goes from now on. Readers and writers continue meanwhile.
   *
   * @param plan a plan for the same keys; size, rate and, with one chunk, the variant may differ
   * @throws IllegalArgumentException if the plan is for other keys, or cannot be cut into chunks as
   *     the filter is
   * @throws FilterUnavailableException if there is no filter of this name
   */
  public RedisRebuild rebuild(String name, FilterPlan plan) {
    return rebuild(new Name(name), header(plan));
  }

  /**
   * Begins a rebuild of a filter in the layout of another, for {@link RedisRebuild#load}.
   *
   * @throws IllegalArgumentException as for the other method
   * @throws FilterUnavailableException if there is no filter of this name
   */
  public RedisRebuild rebuild(String name, Filter like) {
    return rebuild(new Name(name), header(like));
  }

  private RedisRebuild rebuild(Name name, FilterHeader header) {
    FilterRecord record = Served.read(name, calls);
    FilterHeader before = record.current().header();
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
    Chunks cut = record.current().chunks();
    Generation draft = generation(0, header, cut.count(), record.current());
    if (!draft.chunks().isCutLike(cut)) {
      throw new IllegalArgumentException(
          "filter '"
              + name
              + "' is cut into "
              + cut.count()
              + " chunks by blocks of another size than those of "
              + header
              + ", so that keys would change their slots; keep to rates on the same side of 1 %, or"
              + " create another filter");
    }
    Object sequence =
        calls.run(
            new Calls.Call(
                Script.BEGIN,
                List.of(name.recordKey()),
                List.of(draft.headerBytes(), draft.id(), Script.ascii(draft.primaries()))));
    if (!(sequence instanceof Long number) || number == 0) {
      throw Served.missing(name.recordKeyText());
    }
    Generation next =
        new Generation(
            number,
            draft.id(),
            draft.headerBytes(),
            header,
            draft.chunks(),
            draft.primaries(),
            false);
    new GenerationWords(name, calls, next, Name.Role.NEXT).makeChunks();
    return new RedisRebuild(name, calls, next);
  }

  /**
   * Accepts the current primaries as servers of a filter: after one was restarted or promoted, or a
   * node has joined the Cluster. The caller must know that no data was lost, or accept that
   * recently put keys may be reported as absent.
   *
   * @throws FilterUnavailableException if there is no filter of this name
   */
  public void accept(String name) {
    Name checked = new Name(name);
    Object done =
        calls.run(
            new Calls.Call(
                Script.SET_FIELDS,
                List.of(checked.recordKey()),
                List.of(Script.ascii(FilterRecord.PRIMARIES), Script.ascii(primaries()))));
    if (!Long.valueOf(1).equals(done)) {
      throw Served.missing(checked.recordKeyText());
    }
  }

  /**
   * Deletes a filter with all of its Redis keys.
   *
   * @return false if there was no such filter
   */
  public boolean delete(String name) {
    Name checked = new Name(name);
    FilterRecord record;
    try {
      record = Served.read(checked, calls);
    } catch (FilterUnavailableException e) {
      if (e.getCause() != null) {
        throw e;
      }
      return false;
    }
    List<Calls.Call> deleted = new ArrayList<>();
    for (int chunk = 0; chunk < record.current().chunks().count(); chunk++) {
      int number = chunk;
      deleted.add(
          new Calls.Call(
              Script.DELETE,
              Arrays.stream(Name.Role.values())
                  .map(role -> checked.chunkKey(number, role))
                  .toList(),
              List.of()));
    }
    calls.run(deleted, Calls.Wait.NONE);
    calls.run(new Calls.Call(Script.DELETE, List.of(checked.recordKey()), List.of()));
    return true;
  }
}
