package io.bloomery.spring;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator of Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnProperty(name = "management.health.bloomery.enabled", matchIfMissing = true)
class Boot4HealthConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "bloomeryHealthIndicator")
  HealthIndicator bloomeryHealthIndicator(GuardHealth health) {
    return () ->
        (health.isGood() ? Health.up() : Health.unknown()).withDetails(health.details()).build();
  }
}
