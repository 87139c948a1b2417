package io.bloomery.spring;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Bloomery.
 *
 * @param guards the guards, by name; the bean of each is named NAMEGuard
 */
@ConfigurationProperties(BloomeryProperties.PREFIX)
public record BloomeryProperties(@DefaultValue Map<String, GuardProperties> guards) {

  static final String PREFIX = "bloomery";
}
