package com.example.languages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Console;

/** The programs in Kotlin and in Scala compile, and print what is in the table at their end. */
class LanguagesTest {

  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String LEFT = "{ada=36, eve=7}";

  @TempDir private Path folder;

  @Test
  void kotlinAsksAGuard() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ExitCode code =
        new K2JVMCompiler()
            .exec(
                new PrintStream(said, true, StandardCharsets.UTF_8),
                "-Werror",
                "-no-stdlib",
                "-no-reflect",
                "-cp",
                CLASS_PATH,
                "-d",
                folder.toString(),
                "src/main/kotlin/Users.kt");
    assertEquals(ExitCode.OK, code, () -> said.toString(StandardCharsets.UTF_8));
    assertEquals(LEFT, printed("UsersKt"));
  }

  // Of the two compilers the slower one.
  @Test
  @Tag("nightly")
  void scalaAsksAGuard() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] arguments = {
      "-Xfatal-warnings",
      "-classpath",
      CLASS_PATH,
      "-d",
      folder.toString(),
      "src/main/scala/Users.scala"
    };
    boolean isCompiled =
        (boolean)
            Console.withOut(
                said, () -> Console.withErr(said, () -> scala.tools.nsc.Main.process(arguments)));
    assertTrue(isCompiled, () -> said.toString(StandardCharsets.UTF_8));
    assertEquals(LEFT, printed("Users"));
  }

  /** Runs a program, and returns what it prints. */
  private String printed(String program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      Class<?> type = classes.loadClass(program);
      Console.withOut(
          System.out,
          () -> {
            try {
              return type.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException(e);
            }
          });
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).strip();
  }
}
