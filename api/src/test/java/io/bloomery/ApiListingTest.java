package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares what this module offers with the listing of it that is committed; with {@code
 * -Dbloomery.record=true} writes the listing.
 */
class ApiListingTest {

  private static final int MAX_TYPES = 12;
  private static final Path LISTING = Path.of("../docs/api/io.bloomery.txt");
  private static final String RECORD =
      "mvn test -pl api -Dtest=ApiListingTest -Dbloomery.record=true";

  private static ApiListing api;

  @BeforeAll
  static void readThisModule() throws IOException {
    api = ApiListing.of(Path.of("target/classes"), ApiListingTest.class.getClassLoader());
  }

  @Test
  void theListingThatIsCommittedIsWhatThisModuleOffers() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# What this module offers to everybody. Not by hand: " + RECORD);
    lines.addAll(api.lines());
    if (Boolean.getBoolean("bloomery.record")) {
      Files.createDirectories(LISTING.getParent());
      Files.write(LISTING, lines);
    }
    List<String> committed = Files.exists(LISTING) ? Files.readAllLines(LISTING) : List.of();
    if (!committed.equals(lines)) {
      fail(
          String.join("\n", difference(committed, lines))
              + "\nThe public API is not what "
              + LISTING.normalize()
              + " says. If it should be so, for years: "
              + RECORD);
    }
  }

  /** Returns what is no longer there, and what is new, each with the type that it belongs to. */
  private static List<String> difference(List<String> before, List<String> now) {
    List<String> old = withTypes(before);
    List<String> current = withTypes(now);
    return Stream.concat(
            old.stream().filter(line -> !current.contains(line)).map(line -> "- " + line),
            current.stream().filter(line -> !old.contains(line)).map(line -> "+ " + line))
        .toList();
  }

  private static List<String> withTypes(List<String> lines) {
    List<String> all = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      type = line.startsWith(" ") ? type : line;
      all.add(line.startsWith(" ") ? type + ":" + line.substring(1) : line);
    }
    return all;
  }

  @Test
  void aDifferenceNamesTheTypeOfAMember() {
    assertEquals(
        List.of("- class A: int a()", "+ class A: long a()", "+ class B", "+ class B: int a()"),
        difference(
            List.of("class A", "  int a()", "  int b()"),
            List.of("class A", "  long a()", "  int b()", "class B", "  int a()")));
  }

  @Test
  void typesThatUsersOfFiltersSeeAreFew() {
    List<Class<?>> types =
        api.types().stream().filter(type -> type.getPackageName().equals("io.bloomery")).toList();
    assertTrue(types.size() <= MAX_TYPES, () -> types.size() + " public types: " + types);
  }

  @Test
  void onlyModulesOfThisProjectSeeWhatIsInternal() {
    Map<String, Set<String>> qualified =
        api.module().exports().stream()
            .filter(ModuleDescriptor.Exports::isQualified)
            .collect(
                Collectors.toMap(
                    ModuleDescriptor.Exports::source, ModuleDescriptor.Exports::targets));
    Set<String> ours =
        Set.of(
            "io.bloomery.counting",
            "io.bloomery.partitioned",
            "io.bloomery.redis",
            "io.bloomery.scalable",
            "io.bloomery.standard");
    assertEquals(
        Map.of(
            "io.bloomery.internal",
            ours,
            "io.bloomery.internal.file",
            Set.of("io.bloomery.interop", "io.bloomery.window")),
        qualified);
    assertTrue(
        api.types().stream().noneMatch(type -> type.getName().startsWith("io.bloomery.internal")));
  }

  // What a listing must show, in a type of its own.

  interface Unseen {
    /** Seems to belong to whoever extends this type. */
    default void inherited() {}
  }

  @SuppressWarnings("unused")
  abstract static class Sample<K extends Comparable<? super K>> implements Unseen {

    public static final String NAME = "a name";
    protected final @Nullable String field = null;

    protected Sample(int number) {}

    public abstract <T> Map<K, ? extends @Nullable T> generic(Function<? super T, K> function)
        throws IOException;

    public byte @Nullable [] arrays(byte[] @Nullable [] bytes, String... more) {
      return null;
    }

    @Deprecated
    public static void old(Collection<?> any) {}

    void notOffered() {}

    private void notOfferedEither() {}
  }

  @Test
  void aListingShowsModifiersGenericsExceptionsConstantsAndNullness() {
    assertEquals(
        """
        abstract static class io.bloomery.ApiListingTest$Sample\
        <K extends Comparable<? super K>> implements io.bloomery.ApiListingTest$Unseen
          public static final String NAME = "a name"
          protected Sample(int)
          public byte @Nullable [] arrays(byte[] @Nullable [], String...)
          protected final @Nullable String field
          public abstract <T> java.util.Map<K, ? extends @Nullable T>\
         generic(java.util.function.Function<? super T, K>) throws java.io.IOException
          public default void inherited()
          @Deprecated public static void old(java.util.Collection<?>)
        """
            .strip(),
        String.join("\n", ApiListing.lines(Sample.class)));
  }
}
