package io.bloomery.benchmarks.paired;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A participant in a contest: a class to load in isolation, and the argument of its constructor.
 *
 * @param vectors whether the module that uses vectors is visible to it
 * @param build the build that it is of, if not of this one
 */
public record Subject(
    String name,
    Role role,
    Map<KeyKind, String> classes,
    String argument,
    boolean vectors,
    Optional<OtherBuild> build) {

  /** The end of the name of a subject of another build. */
  public static final String BEFORE = "-before";

  /** The role of a subject in comparisons. */
  public enum Role {
    /** A lower bound of the cost. */
    LIMIT,
    /** A filter with bits anywhere in its table. */
    PLAIN,
    /** A filter that keeps the bits of a key together. */
    BLOCKED,
    /** A filter that supports removal. */
    COUNTING,
    /** A filter that grows. */
    GROWING,

    /** A filter that is built once from all its keys. */
    BUILT,

    /** A filter that is queried in its memory-mapped file. */
    MAPPED
  }

  /** The library that all ratios refer to. */
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
          built("fastfilter-xor", "FastFilterBuiltLongs", "Xor8"),
          built("fastfilter-xor-fuse", "FastFilterBuiltLongs", "XorFuse8"),
          limit("hash-only", "HashOnly"),
          limit("one-word", "RandomWord"),
          limit("seven-words", "SevenWords"));

  private static final List<Subject> ALL =
      Stream.concat(OTHERS.stream(), OurSubjects.all().stream()).toList();

  Subject(String name, Role role, Map<KeyKind, String> classes, String argument, boolean vectors) {
    this(name, role, classes, argument, vectors, Optional.empty());
  }

  /** Returns all subjects; the reference comes first. */
  public static List<Subject> all() {
    return ALL;
  }

  private static Subject peer(String name, Role role, String prefix) {
    return new Subject(name, role, classes(prefix), "", false);
  }

  static Map<KeyKind, String> classes(String prefix) {
    return Map.of(KeyKind.LONG, prefix + "Longs", KeyKind.STRING, prefix + "Strings");
  }

  private static Subject fastFilter(String name, Role role, String type) {
    return new Subject(name, role, Map.of(KeyKind.LONG, "FastFilterLongs"), type, false);
  }

  static Subject built(String name, String type, String argument) {
    return new Subject(name, Role.BUILT, Map.of(KeyKind.LONG, type), argument, false);
  }

  private static Subject limit(String name, String type) {
    return new Subject(name, Role.LIMIT, Map.of(KeyKind.LONG, type), "", false);
  }

  /**
   * Returns whether its requirements are present: the module that uses vectors, and that of Java.
   */
  public boolean available() {
    return !vectors || VECTORS;
  }

  /** Returns whether it is a variant of Bloomery. */
  public boolean ours() {
    return classes.getOrDefault(KeyKind.LONG, "").contains("Bloomery");
  }

  /** Returns whether its filters are confined to one thread at a time by an option. */
  public boolean confined() {
    return argument.contains(" confined");
  }

  /** Returns this subject as another build has it. */
  Subject before(OtherBuild build) {
    return new Subject(name + BEFORE, role, classes, argument, vectors, Optional.of(build));
  }

  /**
   * Returns whether it takes part in comparisons with several threads: the reference, and our
   * variants without options.
   */
  boolean isShared() {
    boolean asMade = ours() && role != Role.MAPPED && !argument.contains(" ");
    return name.equals(REFERENCE) || (asMade && takes(KeyKind.STRING));
  }

  /** Returns whether it supports a kind of key. */
  public boolean takes(KeyKind kind) {
    return classes.containsKey(kind);
  }

  /** Loads the class in isolation and creates an instance. */
  public Contender load(KeyKind kind) {
    try {
      Class<?> type = new IsolatedLoader(vectors, build).loadClass(PACKAGE + classes.get(kind));
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
