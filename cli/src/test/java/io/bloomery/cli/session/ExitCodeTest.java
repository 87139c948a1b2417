package io.bloomery.cli.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExitCodeTest {

  /** What a script does not know, it takes for the end of a Java that could not start. */
  @Test
  void theScriptsKnowAllCodesOfTheCommand() throws IOException, ReflectiveOperationException {
    TreeSet<Integer> codes = new TreeSet<>();
    for (Field field : ExitCode.class.getFields()) {
      if (field.getType() == int.class && field.getInt(null) != ExitCode.BROKEN_PIPE) {
        codes.add(field.getInt(null));
      }
    }
    assertEquals(codes, known("src/main/sh/bloomery.sh", "10\\[0-(\\d)\\]", "\\| 1(\\d\\d)\\)"));
    assertEquals(codes, known("packages/bloomery.cmd", "leq 10(\\d) ", "equ 1(\\d\\d) "));
  }

  private static Set<Integer> known(String script, String last, String fault) throws IOException {
    String text = Files.readString(Path.of(script));
    Set<Integer> known = new TreeSet<>();
    IntStream.rangeClosed(0, number(text, last)).forEach(known::add);
    known.add(number(text, fault));
    return known;
  }

  private static int number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), pattern);
    return Integer.parseInt(matcher.group(1));
  }
}
