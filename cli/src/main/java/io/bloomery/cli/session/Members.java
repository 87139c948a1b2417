package io.bloomery.cli.session;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The members of a JSON object, in their order. */
public final class Members {

  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Adds text, a number, a truth value, null, members, or a list of these. */
  public Members with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  /** Adds members after these. */
  public Members with(Members more) {
    values.putAll(more.values);
    return this;
  }

  Map<String, Object> asMap() {
    return Collections.unmodifiableMap(values);
  }
}
