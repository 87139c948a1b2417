package io.bloomery.spring;

import io.bloomery.guard.Guard;
import io.bloomery.guard.ReadOnlyGuard;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/** Registers a bean for each configured guard, unless the application has a bean of its own. */
final class GuardRegistrar implements BeanDefinitionRegistryPostProcessor {

  private final Environment environment;

  GuardRegistrar(Environment environment) {
    this.environment = environment;
  }

  /** Binds the properties; an unknown one is an error, and so is a duration without a unit. */
  static BloomeryProperties bind(Environment environment) {
    try {
      return Binder.get(environment)
          .bindOrCreate(
              BloomeryProperties.PREFIX,
              Bindable.of(BloomeryProperties.class),
              new NoUnboundElementsBindHandler(
                  new DurationUnits(environment), new UnboundElementsSourceFilter()));
    } catch (BindException e) {
      if (e.getCause() instanceof InvalidGuardException invalid) {
        throw invalid; // which our analyzer explains, and Spring's would not
      }
      throw e;
    }
  }

  static String beanName(String guard) {
    return guard + "Guard";
  }

  @Override
  public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
    bind(environment)
        .guards()
        .forEach(
            (name, properties) -> {
              GuardFactory.check(name, properties);
              if (!registry.containsBeanDefinition(beanName(name))) {
                register(registry, name, properties);
              }
            });
  }

  private static void register(
      BeanDefinitionRegistry registry, String name, GuardProperties properties) {
    BeanFactory beans = (BeanFactory) registry;
    GuardFactory factory = new GuardFactory(name, properties, beans);
    BeanDefinitionBuilder definition =
        properties.file() == null
            ? BeanDefinitionBuilder.genericBeanDefinition(Guard.class, factory::guard)
            : BeanDefinitionBuilder.genericBeanDefinition(
                ReadOnlyGuard.class, () -> fileGuard(factory, name, properties, beans));
    registry.registerBeanDefinition(
        beanName(name), definition.setDestroyMethodName("close").getBeanDefinition());
  }

  private static ReadOnlyGuard<?, ?> fileGuard(
      GuardFactory factory, String name, GuardProperties properties, BeanFactory beans) {
    FileGuard<?> guard = factory.fileGuard(Objects.requireNonNull(properties.file()));
    beans.getBean(FileGuards.class).add(name, guard, properties.fileCheck());
    return guard.guard();
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
    // Only bean definitions are added.
  }
}
