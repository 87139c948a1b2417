package io.bloomery.benchmarks.paired;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One who takes part in a contest: a class to be loaded apart, and what its constructor is told.
 *
 * @param vectors whether it sees the module that uses vectors
 */
public record Subject(
    String name, Role role, Map<KeyKind, String> classes, String argument, boolean vectors) {

  /** What a subject is to the others. */
  public enum Role {
    /** What we are compared with. */
    LIMIT,
    /** A filter whose bits lie anywhere. */
    PLAIN,
    /** A filter that keeps a key's bits together. */
    BLOCKED,
    /** A filter that removes. */
    COUNTING,
    /** A filter that grows. */
    GROWING,

    /** A filter that is asked in its file. */
    MAPPED
  }

  /** The library that every ratio is taken to. */
  public static final String REFERENCE = "guava";

  private static final boolean VECTORS =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
          && IsolatedLoader.hasVectors();

  private static final String PACKAGE = "io.bloomery.benchmarks.contender.";

  private static final List<Subject> OTHERS =
      List.of(
          peer(REFERENCE, Role.PLAIN, "Guava"),
          peer("collections", Role.PLAIN, "Collections"),
          peer("datasketches", Role.PLAIN, "DataSketches"),
          peer("spark", Role.PLAIN, "Spark"),
          peer("parquet", Role.BLOCKED, "Parquet"),
          peer("hive", Role.BLOCKED, "Hive"),
          fastFilter("fastfilter", Role.PLAIN, "Bloom"),
          fastFilter("fastfilter-blocked", Role.BLOCKED, "BlockedBloom"),
          fastFilter("fastfilter-counting", Role.COUNTING, "CountingBloom"),
          fastFilter("fastfilter-succinct", Role.COUNTING, "SuccinctCountingBlockedBloom"),
          limit("hash-only", "HashOnly"),
          limit("one-word", "RandomWord"),
          limit("one-line", "RandomLine"),
          limit("seven-words", "SevenWords"));

  private static final List<Subject> ALL =
      Stream.concat(OTHERS.stream(), OurSubjects.all().stream()).toList();

  /** Returns all there are; the one that all others are compared with comes first. */
  public static List<Subject> all() {
    return ALL;
  }

  private static Subject peer(String name, Role role, String prefix) {
    return new Subject(name, role, classes(prefix), "", false);
  }

  static Map<KeyKind, String> classes(String prefix) {
    return Map.of(
        KeyKind.LONG, prefix + "Longs",
        KeyKind.STRING, prefix + "Strings",
        KeyKind.BYTES, prefix + "Bytes");
  }

  private static Subject fastFilter(String name, Role role, String type) {
    return new Subject(name, role, Map.of(KeyKind.LONG, "FastFilterLongs"), type, false);
  }

  private static Subject limit(String name, String type) {
    return new Subject(name, Role.LIMIT, Map.of(KeyKind.LONG, type), "", false);
  }

  /** Returns whether what it needs is there: the module that uses vectors, and Java's own. */
  public boolean available() {
    return !vectors || VECTORS;
  }

  /** Returns whether it is one of Bloomery's variants. */
  public boolean ours() {
    return classes.getOrDefault(KeyKind.LONG, "").contains("Bloomery");
  }

  /** Returns whether only one thread may use its filters at a time, by its own choice. */
  public boolean confined() {
    return argument.contains(" confined");
  }

  /** Returns ours as programs mostly call it, by {@code BloomFilter}; others as they are. */
  Subject behindFace() {
    return ours() && role != Role.MAPPED
        ? new Subject(name, role, Map.of(KeyKind.LONG, "BloomeryBoxedLongs"), argument, vectors)
        : this;
  }

  /** Returns whether it takes part in what several threads do: the reference, and ours as made. */
  boolean isShared() {
    boolean asMade = ours() && role != Role.MAPPED && !argument.contains(" ");
    return name.equals(REFERENCE) || (asMade && takes(KeyKind.STRING));
  }

  /** Returns whether it can have keys of a kind. */
  public boolean takes(KeyKind kind) {
    return classes.containsKey(kind);
  }

  /** Loads the class anew and makes one of it. */
  public Contender load(KeyKind kind) {
    try {
      Class<?> type = new IsolatedLoader(vectors).loadClass(PACKAGE + classes.get(kind));
      Constructor<?> constructor =
          argument.isEmpty()
              ? type.getDeclaredConstructor()
              : type.getDeclaredConstructor(String.class);
      constructor.setAccessible(true);
      return (Contender)
          (argument.isEmpty() ? constructor.newInstance() : constructor.newInstance(argument));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("contender must load: " + name, e);
    }
  }
}
