package io.bloomery.spring;

import io.bloomery.guard.GuardMeters;
import io.bloomery.guard.GuardView;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Creates the guards configured by properties, with their caches, health and meters. */
@AutoConfiguration
@EnableConfigurationProperties(BloomeryProperties.class)
@Import({Boot3HealthConfiguration.class, Boot4HealthConfiguration.class})
public class BloomeryAutoConfiguration {

  /** Called by Spring. */
  public BloomeryAutoConfiguration() {}

  // Static, because post-processors of bean definitions and beans must exist before other beans.

  @Bean
  static GuardRegistrar bloomeryGuardRegistrar(Environment environment) {
    return new GuardRegistrar(environment);
  }

  @Bean
  static GuardedCaches bloomeryGuardedCaches(Environment environment, BeanFactory beans) {
    return new GuardedCaches(GuardRegistrar.bind(environment), beans);
  }

  @Bean
  FileGuards bloomeryFileGuards() {
    return new FileGuards();
  }

  @Bean
  GuardHealth bloomeryGuardHealth(ObjectProvider<GuardView<?, ?>> guards, FileGuards files) {
    return new GuardHealth(guards.orderedStream().toList(), files);
  }

  /** The meters, if Micrometer is present. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  static class MetersConfiguration {

    @Bean
    MeterBinder bloomeryGuardMeters(ObjectProvider<GuardView<?, ?>> guards) {
      List<GuardMeters> meters = guards.orderedStream().map(GuardMeters::new).toList();
      return registry -> meters.forEach(meter -> meter.bindTo(registry));
    }
  }
}
