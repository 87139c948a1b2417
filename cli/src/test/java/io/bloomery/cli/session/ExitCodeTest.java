package io.bloomery.cli.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExitCodeTest {

  /** What the script does not know, it takes for the end of a Java that could not start. */
  @Test
  void theScriptKnowsAllCodesOfTheCommand() throws IOException, ReflectiveOperationException {
    TreeSet<Integer> codes = new TreeSet<>();
    for (Field field : ExitCode.class.getFields()) {
      if (field.getType() == int.class && field.getInt(null) != ExitCode.BROKEN_PIPE) {
        codes.add(field.getInt(null));
      }
    }
    Matcher known =
        Pattern.compile("10\\[0-(\\d)\\] \\| 1(\\d\\d)\\)")
            .matcher(Files.readString(Path.of("src/main/sh/bloomery.sh")));
    assertTrue(known.find(), "codes in the script");
    TreeSet<Integer> inScript = new TreeSet<>();
    IntStream.rangeClosed(0, Integer.parseInt(known.group(1))).forEach(inScript::add);
    inScript.add(Integer.parseInt(known.group(2)));
    assertEquals(codes, inScript);
  }
}
