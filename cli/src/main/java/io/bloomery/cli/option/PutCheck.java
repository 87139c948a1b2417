package io.bloomery.cli.option;

import io.bloomery.cli.session.Failure;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.StaticFilterProvider;
import java.nio.file.Path;

/** Tells filters that are built once from those that lines are put into. */
public final class PutCheck {

  private PutCheck() {}

  /**
   * Checks the variant of a saved filter.
   *
   * @param next what to do if it is built once
   * @throws Failure if it is
   */
  public static void check(FilterProviders providers, Path file, String variant, String next)
      throws Failure {
    if (providers.find(variant).filter(StaticFilterProvider.class::isInstance).isPresent()) {
      throw Failure.usage(
          "%s must be of a variant that lines are added to, but is '%s', which is built once"
              + " of all lines; %s",
          file, variant, next);
    }
  }
}
