package io.bloomery.conformance.power;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What happened to the files of a folder, in order, and what was promised meanwhile. */
final class History {

  /** A file or a folder, whatever its names are. */
  static final class Node {
    private final int number;
    private final String firstName;
    private final boolean isFolder;
    private final Map<String, Node> names = new HashMap<>(); // now, of a folder

    Node(int number, String firstName, boolean isFolder) {
      this.number = number;
      this.firstName = firstName;
      this.isFolder = isFolder;
    }

    /** Returns how many events were before it was made. */
    int number() {
      return number;
    }

    boolean isFolder() {
      return isFolder;
    }

    @Override
    public String toString() {
      return firstName;
    }
  }

  /** What happened at once, or was promised. */
  sealed interface Event {}

  /** Bytes were written to a file, by a channel or a mapping. */
  record Write(Node file, long at, ByteBuffer bytes, boolean isMapped) implements Event {
    /** Returns the offset of the first byte behind those written. */
    long end() {
      return at + bytes.limit();
    }

    @Override
    public String toString() {
      return "write " + bytes.limit() + " bytes at " + at + " of " + file;
    }
  }

  /** A file was truncated. */
  record Resize(Node file, long size) implements Event {}

  /** A file or folder was forced to the disk, by a channel or a mapping. */
  record Force(Node node, boolean isMapped) implements Event {}

  /** A file or folder got a name. */
  record Link(Node folder, String name, Node node) implements Event {}

  /** A name of a file was removed. */
  record Unlink(Node folder, String name, Node node) implements Event {}

  /** A file got another name in its folder, at once. */
  record Rename(Node folder, String from, String to, Node node) implements Event {}

  /** From now on a version may be there. */
  record Begun(int version) implements Event {}

  /** From now on a version, or one begun later, must be there. */
  record Done(int version) implements Event {}

  private final Path folder;
  private final boolean isKept;
  private final Node root = new Node(0, "", true);
  private final List<RecordedMapping> mappings = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  /**
   * Makes the history of a folder, which begins when all that is in it has been forced.
   *
   * @param folder an absolute path without links
   */
  History(Path folder) throws IOException {
    this(folder, true);
  }

  private History(Path folder, boolean isKept) throws IOException {
    this.folder = folder;
    this.isKept = isKept;
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.skip(1).sorted().toList()) {
        if (Files.isDirectory(path)) {
          folderMade(path);
        } else {
          opened(path, false);
          written(node(path), 0, Files.readAllBytes(path));
          forced(node(path));
        }
        forced(folder(path));
      }
    }
  }

  /** Returns a history that is not kept, of a folder in which little is to be forced really. */
  static History notKept(Path folder) throws IOException {
    return new History(folder, false);
  }

  Path folder() {
    return folder;
  }

  Node root() {
    return root;
  }

  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  private void add(Event event) {
    if (!isKept) {
      return;
    }
    if (!(event instanceof Begun)) {
      lookForForces();
    }
    look();
    events.add(event);
  }

  /** Records which mappings have been forced; before a page of them is made dirty by a channel. */
  synchronized void lookForForces() {
    look();
    for (RecordedMapping mapping : mappings) {
      if (mapping.isForced()) {
        events.add(new Force(mapping.file(), true));
      }
    }
  }

  /** Records what has been written by mappings since this was called, or anything was recorded. */
  synchronized void look() {
    for (RecordedMapping mapping : mappings) {
      mapping.addTo(events);
    }
  }

  synchronized void mapped(RecordedMapping mapping) {
    look();
    mappings.removeIf(mapping::replaces);
    if (isKept) {
      mappings.add(mapping);
    }
  }

  synchronized void begun(int version) {
    add(new Begun(version));
  }

  synchronized void done(int version) {
    add(new Done(version));
  }

  /** Returns what has a name now, or null if nothing has or it is outside of the folder. */
  synchronized Node node(Path path) {
    Path full = path.toAbsolutePath().normalize();
    if (!full.startsWith(folder)) {
      return null;
    }
    Node node = root;
    for (Path name : folder.relativize(full)) {
      node = name.toString().isEmpty() ? node : node.names.get(name.toString());
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  private Node folder(Path path) {
    return Objects.requireNonNull(node(path.toAbsolutePath().getParent()), "not recorded: " + path);
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  synchronized void opened(Path path, boolean isTruncated) {
    if (node(path) == null) {
      link(path, new Node(events.size(), name(path), false));
    } else if (isTruncated) {
      resized(node(path), 0);
    }
  }

  synchronized void folderMade(Path path) {
    link(path, new Node(events.size(), name(path), true));
  }

  synchronized void linked(Path path, Path existing) {
    link(path, node(existing));
  }

  private void link(Path path, Node node) {
    folder(path).names.put(name(path), node);
    add(new Link(folder(path), name(path), node));
  }

  synchronized void deleted(Path path) {
    add(new Unlink(folder(path), name(path), folder(path).names.remove(name(path))));
  }

  synchronized void renamed(Path from, Path to) {
    if (folder(from) != folder(to)) {
      throw new UnsupportedOperationException("not recorded: " + from + " to " + to);
    }
    Node node = folder(from).names.remove(name(from));
    folder(to).names.put(name(to), node);
    add(new Rename(folder(to), name(from), name(to), node));
  }

  synchronized void written(Node file, long at, byte[] bytes) {
    add(new Write(Objects.requireNonNull(file), at, ByteBuffer.wrap(bytes), false));
  }

  synchronized void resized(Node file, long size) {
    add(new Resize(file, size));
  }

  synchronized void forced(Node node) {
    if (node != null) { // one above the folder may be forced, too
      add(new Force(node, false));
    }
  }
}
