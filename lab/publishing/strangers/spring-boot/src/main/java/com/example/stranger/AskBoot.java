package com.example.stranger;

import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardSource;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Starts an application whose guard is configured only by properties, and queries it. */
@SpringBootApplication
public class AskBoot {

  private static final Map<String, String> TABLE = Map.of("ada", "Lovelace");

  /** Returns the source behind the guard. */
  @Bean
  GuardSource<String, String> usersSource() {
    return GuardSource.of(
        () -> TABLE.keySet().stream(), key -> Optional.ofNullable(TABLE.get(key)));
  }

  /** Prints "asked" if the guard finds the present keys. */
  public static void main(String... arguments) {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(AskBoot.class, "--bloomery.guards.users.expect=1000")) {
      Guard<?, ?> guard = context.getBean("usersGuard", Guard.class);
      @SuppressWarnings("unchecked")
      Guard<String, String> users = (Guard<String, String>) guard;
      if (!users.get("ada").equals(Optional.of("Lovelace")) || users.get("bob").isPresent()) {
        throw new IllegalStateException("wrong answer");
      }
      System.out.println("asked in Spring Boot");
    }
  }
}
