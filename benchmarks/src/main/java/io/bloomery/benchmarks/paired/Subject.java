package io.bloomery.benchmarks.paired;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;

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

  private static final List<Subject> ALL =
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
          limit("seven-words", "SevenWords"),
          ours("standard", Role.PLAIN, "standard"),
          new Subject(
              "standard-boxed",
              Role.PLAIN,
              Map.of(KeyKind.LONG, "BloomeryBoxedLongs"),
              "standard",
              false),
          ours("standard-confined", Role.PLAIN, "standard confined"),
          ours("partitioned", Role.PLAIN, "partitioned"),
          ours("partitioned-confined", Role.PLAIN, "partitioned confined"),
          ours("split-block", Role.BLOCKED, "split-block"),
          ours("split-block-confined", Role.BLOCKED, "split-block confined"),
          ours("split-block-vector", Role.BLOCKED, "split-block"),
          ours("split-block-vector-confined", Role.BLOCKED, "split-block confined"),
          ours("counting", Role.COUNTING, "counting"),
          ours("counting-confined", Role.COUNTING, "counting confined"),
          ours("scalable", Role.GROWING, "scalable"),
          ours("scalable-six-slices", Role.GROWING, "scalable 1/50"),
          mapped("standard"),
          mapped("partitioned"),
          mapped("split-block"),
          mapped("counting"),
          mapped("scalable"));

  /** Returns all there are; the one that all others are compared with comes first. */
  public static List<Subject> all() {
    return ALL;
  }

  private static Subject peer(String name, Role role, String prefix) {
    return new Subject(name, role, classes(prefix), "", false);
  }

  private static Subject ours(String name, Role role, String variant) {
    return new Subject(name, role, classes("Bloomery"), variant, name.contains("vector"));
  }

  private static Subject mapped(String variant) {
    Map<KeyKind, String> classes = Map.of(KeyKind.LONG, "MappedBloomeryLongs");
    return new Subject(variant + "-mapped", Role.MAPPED, classes, variant, false);
  }

  private static Map<KeyKind, String> classes(String prefix) {
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
