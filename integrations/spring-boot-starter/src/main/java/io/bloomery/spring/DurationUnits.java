package io.bloomery.spring;

import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/** Rejects durations without a unit, which Spring takes for milliseconds. */
final class DurationUnits implements BindHandler {

  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

  /** The place of the guard in {@code bloomery.guards.NAME.PROPERTY}. */
  private static final int GUARD = 2;

  private final Environment environment;

  DurationUnits(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Object onSuccess(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
    if (result instanceof Duration) {
      String number =
          environment.resolvePlaceholders(
              String.valueOf(context.getConfigurationProperty().getValue()));
      if (NUMBER.matcher(number).matches()) {
        String property = name.getLastElement(ConfigurationPropertyName.Form.DASHED);
        throw new InvalidGuardException(
            name.getElement(GUARD, ConfigurationPropertyName.Form.ORIGINAL),
            property + " must have a unit, but was " + number,
            "Write ms, s, m, h or d behind the number, as in "
                + property
                + ": "
                + number
                + "s for seconds.",
            null);
      }
    }
    return result;
  }
}
