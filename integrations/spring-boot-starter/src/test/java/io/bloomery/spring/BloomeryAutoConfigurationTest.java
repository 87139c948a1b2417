package io.bloomery.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardSource;
import io.bloomery.guard.GuardState;
import io.bloomery.guard.GuardView;
import io.bloomery.guard.ReadOnlyGuard;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** Run on each line of Boot. */
class BloomeryAutoConfigurationTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(BloomeryAutoConfiguration.class))
          .withUserConfiguration(Sources.class);

  @Configuration(proxyBeanMethods = false)
  static class Sources {

    @Bean
    Map<String, String> rows() {
      Map<String, String> rows = new ConcurrentHashMap<>();
      rows.put("ada", "Ada");
      return rows;
    }

    @Bean
    GuardSource<String, String> usersSource(@Qualifier("rows") Map<String, String> rows) {
      return GuardSource.of(
          () -> List.copyOf(rows.keySet()).stream(), key -> Optional.ofNullable(rows.get(key)));
    }

    @Bean
    GuardSource<Long, String> numbers() {
      return GuardSource.of(() -> Stream.of(1L, 2L), key -> Optional.of("number " + key));
    }
  }

  static class Users {

    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, String> rows;

    Users(Map<String, String> rows) {
      this.rows = rows;
    }

    /** Asked of the object itself, not of the proxy, which has no fields. */
    public int calls() {
      return calls.get();
    }

    @Cacheable("users")
    public String find(String id) {
      calls.incrementAndGet();
      return rows.get(id);
    }

    @Cacheable(cacheNames = "users", sync = true)
    public String findOnce(String id) {
      calls.incrementAndGet();
      return rows.get(id);
    }

    @CachePut("users")
    public String save(String id) {
      rows.put(id, "value of " + id);
      return rows.get(id);
    }

    @CacheEvict("users")
    public void delete(String id) {
      rows.remove(id);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching(proxyTargetClass = true)
  static class Caches {

    @Bean
    CacheManager cacheManager() {
      return new ConcurrentMapCacheManager("users", "others");
    }

    @Bean
    Users users(@Qualifier("rows") Map<String, String> rows) {
      return new Users(rows);
    }
  }

  @Test
  void thisIsTheLineOfBootThatIsToBeTested() {
    assertThat(SpringBootVersion.getVersion()).startsWith(System.getProperty("boot.line") + ".");
  }

  @Test
  void withoutPropertiesThereIsNoGuard() {
    runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(GuardView.class));
  }

  @Test
  void eachNameIsABean() {
    runner
        .withPropertyValues(
            "bloomery.guards.users.expect=1000",
            "bloomery.guards.users.fpp=0.001",
            "bloomery.guards.users.rebuild-every=6h",
            "bloomery.guards.counted.expect=100",
            "bloomery.guards.counted.key=long",
            "bloomery.guards.counted.source=numbers",
            "bloomery.guards.counted.remove-deleted=true",
            "bloomery.guards.counted.load-timeout=5s")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Guard<String, String> users = guard(context, "usersGuard");
              users.awaitFilter(LONG);
              assertThat(users.name()).isEqualTo("users");
              assertThat(users.get("ada")).contains("Ada");
              assertThat(users.mightContain("nobody")).isFalse();
              assertThat(users.stats().filter().orElseThrow().expectedKeys()).isEqualTo(1000);
              Guard<Long, String> counted = guard(context, "countedGuard");
              counted.awaitFilter(LONG);
              assertThat(counted.get(2L)).contains("number 2");
              assertThat(counted.delete(2L, () -> true)).isTrue();
              assertThat(counted.mightContain(2L)).isFalse();
              context.close();
              assertThat(users.state()).isEqualTo(GuardState.CLOSED);
            });
  }

  @Test
  void aFilterLivesInAFolder(@TempDir Path temporary) {
    Path folder = temporary.resolve("guard");
    for (int run = 0; run < 2; run++) {
      runner
          .withPropertyValues(
              "bloomery.guards.users.expect=1000", "bloomery.guards.users.live-in=" + folder)
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                Guard<String, String> users = guard(context, "usersGuard");
                users.awaitFilter(LONG);
                assertThat(users.get("ada")).contains("Ada");
              });
      assertThat(folder.resolve("serving")).exists();
    }
  }

  @SuppressWarnings("unchecked") // as the properties say
  private static <K> Guard<K, String> guard(ApplicationContext context, String bean) {
    return (Guard<K, String>) context.getBean(bean, Guard.class);
  }

  @Test
  void aBeanOfTheApplicationGoesFirst() {
    Guard<String, String> own =
        Guard.builder(
                Bloomery.strings().expect(10),
                GuardSource.<String, String>of(Stream::empty, key -> Optional.empty()))
            .build();
    runner
        .withBean("usersGuard", Guard.class, () -> own)
        .withPropertyValues("bloomery.guards.users.expect=1000")
        .run(context -> assertThat(context.getBean(GuardView.class)).isSameAs(own));
    own.close();
  }

  @Test
  void methodsBehindAGuardedCacheAreNotCalledForAbsentKeys() {
    runner
        .withUserConfiguration(Caches.class)
        .withPropertyValues(
            "bloomery.guards.users.expect=1000", "bloomery.guards.users.caches=users")
        .run(
            context -> {
              Users users = context.getBean(Users.class);
              Guard<String, String> guard = guard(context, "usersGuard");
              guard.awaitFilter(LONG);
              assertThat(users.find("nobody")).isNull();
              assertThat(users.findOnce("nobody")).isNull();
              assertThat(users.calls()).isZero();
              assertThat(users.find("ada")).isEqualTo("Ada");
              assertThat(users.findOnce("ada")).isEqualTo("Ada");
              assertThat(users.calls()).isEqualTo(1);
              // One that the filter lets through: confirmed by the call that may.
              guard.created("ghost");
              assertThat(users.find("ghost")).isNull();
              assertThat(users.find("ghost")).isNull();
              assertThat(users.calls()).isEqualTo(3);
              assertThat(users.findOnce("ghost")).isNull();
              assertThat(users.findOnce("ghost")).isNull();
              assertThat(users.find("ghost")).isNull();
              assertThat(users.calls()).isEqualTo(4);
              // A put reports its key, an eviction asks again.
              users.save("ghost");
              assertThat(users.findOnce("ghost")).isEqualTo("value of ghost");
              users.save("eve");
              assertThat(users.find("eve")).isEqualTo("value of eve");
              assertThat(guard.mightContain("eve")).isTrue();
              assertThat(users.calls()).isEqualTo(4);
              users.delete("eve");
              assertThat(users.findOnce("eve")).isNull();
              assertThat(users.calls()).isEqualTo(5);
            });
  }

  /** 5,000 absent keys of which a tenth pass the filter, by each way into the cache. */
  @ParameterizedTest
  @ValueSource(strings = {"find", "findOnce", "retrieve", "putIfAbsent"})
  void whatPassesInVainIsCountedWhicheverWayItPasses(String way) {
    runner
        .withUserConfiguration(Caches.class)
        .withPropertyValues(
            "bloomery.guards.users.expect=1",
            "bloomery.guards.users.fpp=0.1",
            "bloomery.guards.users.caches=users")
        .run(
            context -> {
              Users users = context.getBean(Users.class);
              Guard<String, String> guard = guard(context, "usersGuard");
              guard.awaitFilter(LONG);
              Cache cache = context.getBean(CacheManager.class).getCache("users");
              AtomicInteger direct = new AtomicInteger();
              for (int i = 0; i < 5_000; i++) {
                String key = "nobody-" + i;
                if (way.equals("find")) {
                  assertThat(users.find(key)).isNull();
                } else if (way.equals("findOnce")) {
                  assertThat(users.findOnce(key)).isNull();
                } else if (way.equals("retrieve")) {
                  cache
                      .retrieve(
                          key,
                          () -> {
                            direct.incrementAndGet();
                            return CompletableFuture.completedFuture(null);
                          })
                      .join();
                } else if (cache.get(key) == null) {
                  direct.incrementAndGet();
                  cache.putIfAbsent(key, null);
                }
              }
              assertThat(guard.stats().measuredRate().orElseThrow().falsePositives())
                  .isEqualTo(users.calls() + direct.get())
                  .isPositive();
            });
  }

  @Test
  void aGuardedCacheKeepsToTheContractOfCaches() {
    runner
        .withUserConfiguration(Caches.class)
        .withPropertyValues(
            "bloomery.guards.users.expect=1000", "bloomery.guards.users.caches=users")
        .run(
            context -> {
              guard(context, "usersGuard").awaitFilter(LONG);
              CacheManager manager = context.getBean(CacheManager.class);
              Cache plain = manager.getCache("others");
              assertThat(plain).isNotInstanceOf(GuardedCache.class);
              assertThat(manager.getCacheNames()).contains("users", "others");
              Cache cache = manager.getCache("users");
              assertThat(cache.getName()).isEqualTo("users");
              Cache.ValueWrapper absent = cache.get("nobody");
              assertThat(absent).isNotNull();
              assertThat(absent.get()).isNull();
              assertThat(cache.get("nobody", String.class)).isNull();
              assertThat(cache.get("ada")).isNull(); // not cached, which is another thing
              assertThat(cache.retrieve("nobody").join()).isNotNull();
              cache.put("ada", null);
              assertThat(cache.get("ada")).isNull();
              cache.put("ada", "Ada");
              assertThat(cache.get("ada", String.class)).isEqualTo("Ada");
              assertThat(cache.putIfAbsent("ada", "Eve").get()).isEqualTo("Ada");
              assertThat(cache.evictIfPresent("ada")).isTrue();
              cache.put(List.of(1, 2), "of another type");
              assertThat(cache.get(List.of(1, 2), String.class)).isEqualTo("of another type");
              assertThat(cache.get(List.of(3), () -> "loaded")).isEqualTo("loaded");
              IOException outage = new IOException("no connection");
              assertThatThrownBy(
                      () ->
                          cache.get(
                              "ada",
                              () -> {
                                throw outage;
                              }))
                  .isInstanceOf(Cache.ValueRetrievalException.class)
                  .hasCause(outage);
              cache.clear();
              assertThat(cache.invalidate()).isFalse();
            });
  }

  @Test
  void aFileThatIsReplacedIsTakenUpAndABadOneIsNot(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("users.bloom");
    save(file, "ada");
    runner
        .withPropertyValues(
            "bloomery.guards.users.file=" + file, "bloomery.guards.users.file-check=10ms")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              ReadOnlyGuard<String, String> guard = readOnly(context);
              assertThat(guard.get("ada")).contains("Ada");
              assertThat(guard.mightContain("bob")).isFalse();
              save(file, "ada", "bob");
              await(() -> guard.mightContain("bob"));
              assertThat(guard.stats().generation()).isEqualTo(2);
              Files.write(folder.resolve("bad"), new byte[] {1, 2, 3});
              Files.move(folder.resolve("bad"), file, StandardCopyOption.REPLACE_EXISTING);
              FileGuards files = context.getBean(FileGuards.class);
              await(() -> files.lastError("users").isPresent());
              assertThat(guard.mightContain("bob")).isTrue();
              assertThat(guard.mightContain("nobody")).isFalse();
              assertThat(health(context)).contains("UNKNOWN", "cannot be opened");
              withFailingLog(() -> save(file, "ada", "bob", "dan"), guard, "dan");
              await(() -> files.lastError("users").isEmpty());
              save(file, "ada", "bob", "eve");
              await(() -> guard.mightContain("eve"));
              assertThat(health(context)).contains("UP");
            });
  }

  private interface Step {

    void run() throws IOException;
  }

  private static void withFailingLog(Step step, ReadOnlyGuard<String, String> guard, String key)
      throws IOException {
    // Held, since loggers that nobody holds are collected, with their handlers.
    Logger logger = Logger.getLogger("io.bloomery.spring");
    Handler failing =
        new Handler() {
          @Override
          public void publish(LogRecord message) {
            throw new OutOfMemoryError("log");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(failing);
    try {
      step.run();
      await(() -> guard.mightContain(key));
    } finally {
      logger.removeHandler(failing);
    }
  }

  @SuppressWarnings("unchecked") // as the properties say
  private static ReadOnlyGuard<String, String> readOnly(ApplicationContext context) {
    return (ReadOnlyGuard<String, String>) context.getBean("usersGuard", ReadOnlyGuard.class);
  }

  private static void save(Path file, String... keys) throws IOException {
    BloomFilter<String> filter = Bloomery.strings().expect(1000).fpp(1e-6).create();
    filter.putAll(List.of(keys));
    filter.save(file);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void healthTellsOfEveryGuardAndIsNeverDown() {
    runner
        .withPropertyValues("bloomery.guards.users.expect=1000")
        .run(
            context -> {
              guard(context, "usersGuard").awaitFilter(LONG);
              await(() -> guard(context, "usersGuard").state() == GuardState.READY);
              assertThat(health(context)).contains("UP", "users", "READY");
            });
    runner
        .withPropertyValues("bloomery.guards.broken.expect=1000")
        .withBean(
            "brokenSource",
            GuardSource.class,
            () ->
                GuardSource.of(
                    () -> {
                      throw new IOException("no connection");
                    },
                    key -> Optional.empty()))
        .run(
            context -> {
              await(() -> guard(context, "brokenGuard").state() == GuardState.FAILED);
              assertThat(health(context)).contains("UNKNOWN", "FAILED", "no connection");
            });
    runner
        .withPropertyValues("management.health.bloomery.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("bloomeryHealthIndicator"));
  }

  /** Returns what the indicator tells, whose type differs between the lines of Boot. */
  private static String health(ApplicationContext context) throws Exception {
    Object indicator = context.getBean("bloomeryHealthIndicator");
    var method = indicator.getClass().getMethod("health");
    method.setAccessible(true);
    return method.invoke(indicator).toString();
  }

  @Test
  void metersAreThereWhereMicrometerIs() {
    ApplicationContextRunner guarded =
        runner.withPropertyValues("bloomery.guards.users.expect=1000");
    guarded.run(
        context -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          context.getBean(MeterBinder.class).bindTo(registry);
          assertThat(registry.get("bloom.filter.lookups").tag("guard", "users").meters())
              .hasSize(3);
        });
    guarded
        .withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Guard.class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fpp=0.1                         | either expect or file must be set, but neither was",
        "expect=10,file=users.bloom      | either expect or file must be set, but both were",
        "file=users.bloom,variant=counting | a file is only queried, but variant was set",
        "file=users.bloom,live-in=a      | a file is only queried, but live-in was set",
        "expect=10,live-in=pom.xml       | the folder of live-in must be usable, but is not: java",
        "file=none.bloom                 | file must be a saved filter of string keys, but",
        "file=none.bloom,file-check=0s   | file-check must be longer than 0",
        "expect=10,source=elsewhere      | a bean elsewhere of type",
        "expect=10,source=rows           | must be there, but is of another type",
        "expect=10,fpp=2                 | must be between 0 and 1",
        "expect=0                        | expected keys must be at least 1, but was 0",
        "expect=10,variant=unheard       | unheard",
        "expect=10,pause=0s              | pause must be longer than 0",
        "expect=10,max-values=-1         | values must be at least 0, but was -1",
        "expect=10,rebuild-at-rate=0     | factor must be at least 1",
        "expect=10,variant=standard,remove-deleted=true | standard",
      })
  void wrongPropertiesAreToldWithWhatToDo(String properties, String problem) {
    String[] values =
        Stream.of(properties.split(","))
            .map(value -> "bloomery.guards.users." + value)
            .toArray(String[]::new);
    runner
        .withPropertyValues(values)
        .run(
            context -> {
              assertThat(context).hasFailed();
              FailureAnalysis analysis =
                  new InvalidGuardFailureAnalyzer().analyze(context.getStartupFailure());
              assertThat(analysis).as(() -> context.getStartupFailure().toString()).isNotNull();
              assertThat(analysis.getDescription())
                  .contains("bloomery.guards.users: ")
                  .contains(problem);
              assertThat(analysis.getAction()).isNotBlank();
            });
  }

  static Stream<String> durations() {
    return Stream.of(GuardProperties.class.getRecordComponents())
        .filter(component -> component.getType() == Duration.class)
        .map(component -> component.getName());
  }

  /** As text, as the number that YAML makes of it, and by a placeholder. */
  @ParameterizedTest
  @MethodSource("durations")
  void aDurationWithoutAUnitIsRefused(String property) {
    for (Object value : new Object[] {"6", "-6", 6, 6L, "${six}"}) {
      Map<String, Object> values =
          Map.of("bloomery.guards.users.expect", 10, "bloomery.guards.users." + property, value);
      runner
          .withPropertyValues("six=6")
          .withInitializer(
              context ->
                  context
                      .getEnvironment()
                      .getPropertySources()
                      .addFirst(new MapPropertySource("values", values)))
          .run(
              context -> {
                FailureAnalysis analysis =
                    new InvalidGuardFailureAnalyzer().analyze(context.getStartupFailure());
                assertThat(analysis).as(() -> context + "").isNotNull();
                String dashed = DataObjectPropertyName.toDashedForm(property);
                String number = value.equals("-6") ? "-6" : "6";
                assertThat(analysis.getDescription())
                    .isEqualTo(
                        "bloomery.guards.users: %s must have a unit, but was %s", dashed, number);
                assertThat(analysis.getAction()).contains(dashed + ": " + number + "s");
              });
    }
  }

  @Test
  void aCacheHasOneGuard() {
    runner
        .withUserConfiguration(Caches.class)
        .withPropertyValues(
            "bloomery.guards.users.expect=10",
            "bloomery.guards.users.caches=users",
            "bloomery.guards.counted.expect=10",
            "bloomery.guards.counted.source=numbers",
            "bloomery.guards.counted.caches=users")
        .run(
            context ->
                assertThat(
                        new InvalidGuardFailureAnalyzer()
                            .analyze(context.getStartupFailure())
                            .getDescription())
                    .contains("a cache must have one guard"));
  }

  @ParameterizedTest
  @CsvSource({"bloomery.guards.users.exspect", "bloomery.gards.users.expect"})
  void aPropertyThatIsNotKnownIsNamed(String property) {
    runner
        .withPropertyValues("bloomery.guards.users.expect=10", property + "=10")
        .run(
            context -> assertThat(context).getFailure().rootCause().hasMessageContaining(property));
  }

  @Test
  void toolsFindTheAnalyzerAndTheMetadata() throws IOException {
    assertThat(resource("META-INF/spring.factories"))
        .contains(InvalidGuardFailureAnalyzer.class.getName());
    assertThat(resource("META-INF/spring-configuration-metadata.json"))
        .contains("\"bloomery.guards\"")
        .contains(GuardProperties.class.getName())
        .contains("management.health.bloomery.enabled");
  }

  private static String resource(String name) throws IOException {
    StringBuilder all = new StringBuilder();
    for (var url :
        Collections.list(BloomeryAutoConfigurationTest.class.getClassLoader().getResources(name))) {
      try (var in = url.openStream()) {
        all.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return all.toString();
  }
}
