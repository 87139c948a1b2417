package com.example.users;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Users in a database, asked for over HTTP mostly by ids that do not exist. */
@SpringBootApplication
public class UsersApplication {

  /** Made by Spring. */
  public UsersApplication() {}

  /** Starts the application. */
  public static void main(String... args) {
    SpringApplication.run(UsersApplication.class, args);
  }
}
