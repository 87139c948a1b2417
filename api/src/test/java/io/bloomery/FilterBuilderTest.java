package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.file.OpenOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterBuilderTest {

  /** The annotation is what Error Prone and other analysers look for. */
  @ParameterizedTest
  @ValueSource(
      classes = {Filters.class, FilterBuilder.class, FilterBudget.class, OpenOptions.class})
  void resultsThatAreDroppedAreFoundByStaticAnalysis(Class<?> immutable) {
    assertTrue(immutable.isAnnotationPresent(CheckReturnValue.class));
  }
}
