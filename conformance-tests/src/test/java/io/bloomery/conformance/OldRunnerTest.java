package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.broken.ReferenceProvider;
import io.bloomery.filter.FilterProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a runner makes of a contract that knows no JUnit Platform, and tests by their names. */
class OldRunnerTest {

  @Test
  void theOnlyTestThatItFindsFailsAndSaysWhatToDo() {
    FilterContract contract =
        new FilterContract() {
          @Override
          protected FilterProvider provider() {
            return new ReferenceProvider();
          }
        };
    List<Method> found =
        Arrays.stream(FilterContract.class.getMethods())
            .filter(method -> method.getName().startsWith("test"))
            .filter(method -> method.getReturnType() == void.class)
            .filter(method -> method.getParameterCount() == 0)
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .toList();
    assertEquals(1, found.size(), found::toString);
    Throwable failure =
        assertThrows(InvocationTargetException.class, () -> found.get(0).invoke(contract))
            .getCause();
    assertInstanceOf(AssertionError.class, failure);
    assertTrue(String.valueOf(failure.getMessage()).contains("pin a version of maven-surefire"));
  }
}
