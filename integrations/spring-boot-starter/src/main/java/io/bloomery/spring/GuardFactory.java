package io.bloomery.spring;

import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.MappedBloomFilter;
import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardBuilder;
import io.bloomery.guard.GuardSource;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.guard.ValueSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/** Creates a guard from its properties, with keys of the type that they specify. */
final class GuardFactory {

  private final String name;
  private final GuardProperties properties;
  private final BeanFactory beans;

  GuardFactory(String name, GuardProperties properties, BeanFactory beans) {
    this.name = name;
    this.properties = properties;
    this.beans = beans;
  }

  /** Rejects contradictory properties, before beans are created. */
  static void check(String name, GuardProperties properties) {
    if ((properties.expect() == null) == (properties.file() == null)) {
      throw new InvalidGuardException(
          name,
          "either expect or file must be set, but "
              + (properties.file() == null ? "neither was" : "both were"),
          "Set expect to the number of keys that the source will have, or file to a saved filter.",
          null);
    }
    String ofSource =
        properties.removeDeleted()
            ? "remove-deleted"
            : properties.variant() != null
                ? "variant"
                : properties.liveIn() != null ? "live-in" : null;
    if (properties.file() != null && ofSource != null) {
      throw new InvalidGuardException(
          name,
          "a file is only queried, but " + ofSource + " was set",
          "Leave that out, or set expect in place of file.",
          null);
    }
    if (properties.fileCheck().isNegative() || properties.fileCheck().isZero()) {
      throw new InvalidGuardException(
          name,
          "file-check must be longer than 0, but was " + properties.fileCheck(),
          "Set file-check to a time such as 10s.",
          null);
    }
  }

  Guard<?, ?> guard() {
    try {
      return guard(properties.filters(Objects.requireNonNull(properties.expect())));
    } catch (IllegalArgumentException e) {
      throw new InvalidGuardException(
          name, String.valueOf(e.getMessage()), "Change what the description names.", e);
    } catch (UncheckedIOException e) {
      throw new InvalidGuardException(
          name,
          "the folder of live-in must be usable, but is not: " + e.getCause(),
          "Set live-in to a folder that this guard alone uses, and may write to.",
          e);
    }
  }

  private <K> Guard<K, Object> guard(FilterBuilder<K> filters) {
    GuardSource<K, Object> source = bean(GuardSource.class);
    GuardBuilder<K, Object> builder =
        Guard.builder(filters, source)
            .name(name)
            .answers(properties.answers())
            .rebuildAtRate(properties.rebuildAtRate())
            .pause(properties.pause())
            .patience(properties.patience());
    if (properties.rebuildEvery() != null) {
      builder = builder.rebuildEvery(properties.rebuildEvery());
    }
    if (properties.liveIn() != null) {
      builder = builder.liveIn(properties.liveIn());
    }
    return (properties.removeDeleted() ? builder.removeDeleted() : builder).build();
  }

  FileGuard<?> fileGuard(Path file) {
    return fileGuard(properties.key().filters(), file);
  }

  private <K> FileGuard<K> fileGuard(Filters<K> filters, Path file) {
    ValueSource<K, Object> source = source();
    MappedBloomFilter<K> filter;
    FileStamp stamp = FileStamp.of(file);
    try {
      filter = filters.map(file);
    } catch (IOException e) {
      throw new InvalidGuardException(
          name,
          "file must be a saved filter of "
              + properties.key().name().toLowerCase(Locale.ROOT)
              + " keys, but "
              + file
              + " cannot be opened: "
              + e,
          "Save a filter there before the application starts, or correct file or key.",
          e);
    }
    try {
      ReadOnlyGuard<K, Object> guard = ReadOnlyGuard.of(name, filter, source, properties.answers());
      return new FileGuard<>(guard, filters, file, filter, stamp);
    } catch (IllegalArgumentException e) {
      filter.close();
      throw new InvalidGuardException(
          name, String.valueOf(e.getMessage()), "Change what the description names.", e);
    }
  }

  private <K> ValueSource<K, Object> source() {
    if (properties.source() == null && !beans.containsBean(sourceName())) {
      return key -> {
        throw new IllegalStateException(
            "guard " + name + " has no source for values: declare a bean " + sourceName());
      };
    }
    return bean(ValueSource.class);
  }

  private String sourceName() {
    return properties.source() == null ? name + "Source" : properties.source();
  }

  @SuppressWarnings("unchecked") // the types of keys and values are erased
  private <T> T bean(Class<? super T> type) {
    try {
      return (T) beans.getBean(sourceName(), type);
    } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
      throw new InvalidGuardException(
          name,
          "a bean "
              + sourceName()
              + " of type "
              + type.getName()
              + " must be there, but "
              + (e instanceof NoSuchBeanDefinitionException ? "is not" : "is of another type"),
          "Declare it, or name another bean by bloomery.guards." + name + ".source.",
          e);
    }
  }
}
