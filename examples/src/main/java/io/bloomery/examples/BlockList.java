package io.bloomery.examples;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A block list that fits on a phone, with an allow list for what must never be blocked by mistake:
 * of the names one cares about, those that the filter would block wrongly are known when it is
 * built, and few.
 */
public final class BlockList {

  private final BloomFilter<String> blocked;
  private final Set<String> allowed;

  private BlockList(BloomFilter<String> blocked, Set<String> allowed) {
    this.blocked = blocked;
    this.allowed = allowed;
  }

  /**
   * Builds a list.
   *
   * @param names what is to be blocked, all of it
   * @param precious what must not be, unless it is among {@code names}
   */
  public static BlockList build(Collection<String> names, Collection<String> precious) {
    BloomFilter<String> blocked =
        Bloomery.strings().expect(Math.max(1, names.size())).fpp(0.001).create();
    blocked.putAll(names);
    Set<String> exact = Set.copyOf(names);
    return new BlockList(
        blocked,
        blocked.select(precious).stream()
            .filter(name -> !exact.contains(name))
            .collect(Collectors.toUnmodifiableSet()));
  }

  /** Opens the filter of a list that was saved; its allow list is kept elsewhere. */
  public static BlockList open(Path path, Set<String> allowed) throws IOException {
    return new BlockList(Bloomery.strings().open(path), Set.copyOf(allowed));
  }

  /** Saves the filter. */
  public void save(Path path) throws IOException {
    blocked.save(path);
  }

  /** Returns the precious names that the filter alone would block. */
  public Set<String> allowed() {
    return allowed;
  }

  /** Returns whether a name is blocked: always if it was listed, by mistake one in a thousand. */
  public boolean blocks(String name) {
    return blocked.mightContain(name) && !allowed.contains(name);
  }

  /** Blocks twenty thousand names, and shows which of as many others need the allow list. */
  public static void main(String... args) {
    List<String> bad = IntStream.range(0, 20_000).mapToObj(i -> "bad-" + i + ".example").toList();
    List<String> good = IntStream.range(0, 20_000).mapToObj(i -> "good-" + i + ".example").toList();
    BlockList list = build(bad, good);
    System.out.println("blocked of the bad: " + bad.stream().filter(list::blocks).count());
    System.out.println("blocked of the good: " + good.stream().filter(list::blocks).count());
    System.out.println("on the allow list: " + list.allowed());
  }
}
