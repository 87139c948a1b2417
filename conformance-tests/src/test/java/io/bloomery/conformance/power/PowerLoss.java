package io.bloomery.conformance.power;

import io.bloomery.conformance.power.History.Event;
import io.bloomery.conformance.power.History.Force;
import io.bloomery.conformance.power.History.Link;
import io.bloomery.conformance.power.History.Node;
import io.bloomery.conformance.power.History.Rename;
import io.bloomery.conformance.power.History.Resize;
import io.bloomery.conformance.power.History.Unlink;
import io.bloomery.conformance.power.History.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The states of a folder that a loss of power may leave, given what happened before it. What was
 * forced is there. What was not forced since is there or not, by these rules, whatever the order in
 * which it happened:
 *
 * <ul>
 *   <li>A file has any length that it had since it was forced. Each sector of 512 bytes has any
 *       content that it had since then, independently of other sectors and of the length; where a
 *       sector was not written yet, it has zeros. A sector may be torn: its first bytes are older
 *       or newer than the others. None has what a removed file left on the disk.
 *   <li>To force a mapping forces what was written by it and nothing else of the file, and to force
 *       a channel forces what was written by channels.
 *   <li>To force a file forces none of its names, and to force a folder forces the names in it: not
 *       the content of what they name, nor the name of the folder itself.
 *   <li>What was done to names of a folder that was not forced since may be undone, each for
 *       itself; what was done to one name is undone from its end. A renaming is done or not.
 *   <li>A file whose names are all undone is lost.
 * </ul>
 *
 * <p>This is at least as hostile as ext4, XFS and btrfs were found to be by Pillai et al., All File
 * Systems Are Not Created Equal, OSDI 2014 (table 1): of data and lengths that were not forced they
 * keep any, btrfs also changes the order of what was done to names, and each of them renames at
 * once. Some are kinder: on ext4, for example, a new file that was forced has its name.
 */
final class PowerLoss {

  /** How much is lost of what may be. */
  enum Extent {
    /** Nothing, as if only the process had been killed. */
    NOTHING,
    /** All that was not forced. */
    ALL,
    /** Content and lengths of files, but no names. */
    FILES,
    /** Content of files, but neither lengths nor names. */
    CONTENT,
    /** What is drawn for each file, folder, sector and name. */
    DRAWN
  }

  static final int SECTOR = 512;

  /** What was forced of a file or folder, and what happened since. */
  private static final class Forced {
    private byte[] content = {};
    private Map<String, Node> names = new HashMap<>();
    private final List<Event> since = new ArrayList<>();
  }

  private final Node root;
  private final Map<Node, Forced> nodes = new HashMap<>();

  PowerLoss(Node root) {
    this.root = root;
  }

  private Forced of(Node node) {
    return nodes.computeIfAbsent(node, any -> new Forced());
  }

  /** Takes what happened next. */
  void after(Event event) {
    if (event instanceof Write write) {
      of(write.file()).since.add(write);
    } else if (event instanceof Resize resize) {
      of(resize.file()).since.add(resize);
    } else if (event instanceof Link link) {
      of(link.folder()).since.add(link);
    } else if (event instanceof Unlink unlink) {
      of(unlink.folder()).since.add(unlink);
    } else if (event instanceof Rename rename) {
      of(rename.folder()).since.add(rename);
    } else if (event instanceof Force force) {
      Forced forced = of(force.node());
      if (force.node().isFolder()) {
        forced.names = names(forced, Extent.NOTHING, null);
        forced.since.clear();
      } else {
        force(forced, force.isMapped());
      }
    }
  }

  private static void force(Forced file, boolean isMapped) {
    List<Event> others = new ArrayList<>(file.since);
    others.removeIf(event -> isMapped(event) == isMapped);
    file.since.removeIf(event -> isMapped(event) != isMapped);
    file.content = content(file, Extent.NOTHING, null);
    file.since.clear();
    file.since.addAll(others);
  }

  private static boolean isMapped(Event event) {
    return event instanceof Write write && write.isMapped();
  }

  /**
   * Returns a state that a loss of power now may leave.
   *
   * @return the content of each file, null for each folder, by their paths in the folder
   */
  SortedMap<String, byte[]> state(Extent extent, Random random) {
    SortedMap<String, byte[]> state = new TreeMap<>();
    addAll(root, "", extent, random, state);
    return state;
  }

  private void addAll(
      Node folder, String path, Extent extent, Random random, SortedMap<String, byte[]> state) {
    // In the order in which they were made, so that a seed draws the same whatever the names are.
    names(of(folder), drawn(extent, random), random).entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, Node> named) -> named.getValue().number())
                .thenComparing(Map.Entry::getKey))
        .forEach(named -> add(named.getValue(), path + named.getKey(), extent, random, state));
  }

  private void add(
      Node node, String path, Extent extent, Random random, SortedMap<String, byte[]> state) {
    if (node.isFolder()) {
      state.put(path, null);
      addAll(node, path + "/", extent, random, state);
    } else {
      state.put(path, content(of(node), drawn(extent, random), random));
    }
  }

  private static Extent drawn(Extent extent, Random random) {
    return extent == Extent.DRAWN
        ? Extent.values()[random.nextInt(Extent.values().length)]
        : extent;
  }

  private static Map<String, Node> names(Forced folder, Extent extent, Random random) {
    Map<String, Node> names = new HashMap<>(folder.names);
    if (extent == Extent.ALL) {
      return names;
    }
    double kept = extent == Extent.DRAWN ? random.nextDouble() : 1;
    Set<String> undone = new HashSet<>();
    for (Event event : folder.since) {
      Set<String> changed = changed(event);
      if (!Collections.disjoint(undone, changed) || (kept < 1 && random.nextDouble() >= kept)) {
        undone.addAll(changed);
      } else {
        apply(event, names);
      }
    }
    return names;
  }

  private static Set<String> changed(Event event) {
    if (event instanceof Rename rename) {
      return Set.of(rename.from(), rename.to());
    }
    return Set.of(event instanceof Link link ? link.name() : ((Unlink) event).name());
  }

  private static void apply(Event event, Map<String, Node> names) {
    if (event instanceof Rename rename) {
      names.remove(rename.from());
      names.put(rename.to(), rename.node());
    } else if (event instanceof Link link) {
      names.put(link.name(), link.node());
    } else {
      names.remove(((Unlink) event).name());
    }
  }

  private static byte[] content(Forced file, Extent extent, Random random) {
    int events = file.since.size();
    if (extent == Extent.ALL || extent == Extent.FILES) {
      return file.content;
    }
    int[] lengths = new int[events + 1];
    lengths[0] = file.content.length;
    for (int i = 0; i < events; i++) {
      lengths[i + 1] = length(lengths[i], file.since.get(i));
    }
    int length = lengths[extent == Extent.DRAWN ? random.nextInt(events + 1) : events];
    int longest = Arrays.stream(lengths).max().getAsInt();
    // How many of the events the first bytes of each sector have seen, and the others.
    int sectors = (longest + SECTOR - 1) / SECTOR;
    int[][] seen = {
      seen(sectors, file.since, extent, random), seen(sectors, file.since, extent, random)
    };
    int[] torn = new int[sectors];
    if (extent == Extent.DRAWN && random.nextInt(4) == 0) {
      torn = random.ints(sectors, 0, SECTOR).toArray();
    }
    byte[] content = Arrays.copyOf(file.content, longest);
    for (int i = 0; i < events; i++) {
      Event event = file.since.get(i);
      int end = end(event, longest);
      for (int at = from(event), next; at < end; at = next) {
        int sector = at / SECTOR;
        int tear = sector * SECTOR + torn[sector];
        next = Math.min(end, at < tear ? tear : (sector + 1) * SECTOR);
        if (i < seen[at < tear ? 0 : 1][sector]) {
          apply(event, at, next, content);
        }
      }
    }
    return Arrays.copyOf(content, length);
  }

  private static int[] seen(int sectors, List<Event> events, Extent extent, Random random) {
    int[] seen = new int[sectors];
    if (extent == Extent.NOTHING) {
      Arrays.fill(seen, events.size());
    } else if (extent == Extent.DRAWN && random.nextBoolean()) {
      // Any number, or more often none or all of them.
      int most = random.nextInt(3) * events.size();
      Arrays.setAll(
          seen,
          any ->
              most <= events.size() && random.nextInt(8) > 0
                  ? most
                  : random.nextInt(events.size() + 1));
    } else if (extent == Extent.DRAWN) {
      // Each event has reached all of its sectors or none.
      Arrays.fill(seen, events.size());
      double kept = random.nextDouble();
      for (int i = events.size() - 1; i >= 0; i--) {
        if (random.nextDouble() >= kept) {
          int end = (end(events.get(i), sectors * SECTOR) + SECTOR - 1) / SECTOR;
          Arrays.fill(seen, from(events.get(i)) / SECTOR, end, i);
        }
      }
    }
    return seen;
  }

  private static int end(Event event, int longest) {
    return event instanceof Write write ? Math.toIntExact(write.end()) : longest;
  }

  private static int from(Event event) {
    return Math.toIntExact(event instanceof Write write ? write.at() : ((Resize) event).size());
  }

  /** Does what an event did to some bytes of a file. */
  private static void apply(Event event, int from, int to, byte[] content) {
    if (event instanceof Write write) {
      write.bytes().get((int) (from - write.at()), content, from, to - from);
    } else {
      Arrays.fill(content, from, to, (byte) 0);
    }
  }

  private static int length(int length, Event event) {
    return event instanceof Write write
        ? Math.max(length, Math.toIntExact(write.end()))
        : (int) Math.min(length, ((Resize) event).size());
  }
}
