package io.bloomery.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.blocked.BlockedKernel;
import io.bloomery.blocked.BlockedProvider;
import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters in JVMs that have this module on the class path, and can or cannot use it. */
class WithoutVectorsTest {

  private static final String ADD_MODULES = "--add-modules=jdk.incubator.vector";

  private static final String ANSWERS = "1000 of 1000 found, 1000 added";

  /** What the other JVM runs: two filters, so that there are two occasions to log. */
  public static final class Main {

    private Main() {}

    /** Prints which kernel is used, and what filters answer. */
    public static void main(String[] arguments) {
      Filter shared = filter(ThreadMode.SHARED);
      Filter confined = filter(ThreadMode.CONFINED);
      long[] hashes = LongStream.range(0, 1_000).map(i -> i * 0x9E3779B97F4A7C15L).toArray();
      int added = shared.putAll(hashes, 0, hashes.length);
      LongStream.of(hashes).forEach(confined::put);
      int found = 0;
      for (long hash : hashes) {
        found += shared.mightContain(hash) && confined.mightContain(hash) ? 1 : 0;
      }
      System.out.println(BlockedKernel.installed().getClass().getSimpleName());
      System.out.println(found + " of " + hashes.length + " found, " + added + " added");
    }

    private static Filter filter(ThreadMode mode) {
      return new BlockedProvider().create(FilterSpec.of(1_000_000, 0.009), mode);
    }
  }

  @Test
  void moduleThatIsNotAddedIsNamedOnce() throws Exception {
    String said = run();
    assertTrue(said.startsWith("PlainKernel"), said);
    assertTrue(said.contains(ANSWERS), said);
    assertEquals(2, said.split("--add-modules jdk.incubator.vector", -1).length, said);
    assertEquals(2, said.split("blocked filters run without vectors", -1).length, said);
  }

  @Test
  void moduleThatIsAddedIsUsedAndNothingLogged() throws Exception {
    String said = run(ADD_MODULES);
    assertTrue(said.startsWith("VectorKernel"), said);
    assertTrue(said.contains(ANSWERS), said);
    assertEquals(1, said.split("without vectors", -1).length, said);
  }

  @Test
  void vectorsThatAreTurnedOffAreNotUsed() throws Exception {
    String said = run(ADD_MODULES, "-Dbloomery.vectors=false");
    assertTrue(said.startsWith("PlainKernel"), said);
    assertTrue(said.contains(ANSWERS), said);
    assertTrue(said.contains("the system property bloomery.vectors is false"), said);
  }

  @Test
  @EnabledIfSystemProperty(named = "os.arch", matches = "amd64|x86_64")
  void vectorsTooShortAreNotUsed() throws Exception {
    String said = run(ADD_MODULES, "-XX:UseAVX=1");
    assertTrue(said.startsWith("PlainKernel"), said);
    assertTrue(said.contains(ANSWERS), said);
    assertTrue(said.contains("must have 256 bits, but have 128 here"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void vectorsThatWouldNotBeCompiledAreNotUsed(String option) throws Exception {
    String said = run(ADD_MODULES, option);
    assertTrue(said.startsWith("PlainKernel"), said);
    assertTrue(said.contains(ANSWERS), said);
    assertTrue(said.contains("must have its optimizing compiler on"), said);
  }

  /** Returns what a JVM with this class path prints, standard output before the log. */
  private static String run(String... options) throws IOException, InterruptedException {
    return run(Main.class, options);
  }

  /** Returns what a JVM with this class path prints that runs a class. */
  static String run(Class<?> main, String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-cp", OtherJvm.classPath(List.of(VectorKernel.class, main)), main.getName()));
    Path log = Files.createTempFile("log", ".txt");
    try {
      Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exit = process.waitFor();
      String said = out + Files.readString(log);
      assertEquals(0, exit, said);
      return said;
    } finally {
      Files.delete(log);
    }
  }
}
