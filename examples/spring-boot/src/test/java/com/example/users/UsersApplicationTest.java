package com.example.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.guard.Guard;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class UsersApplicationTest {

  private static final int USERS = 20_000;
  private static final int UNKNOWN = 1_500;
  private static final int AT_A_TIME = 50;

  private final HttpClient client = HttpClient.newHttpClient();

  @Autowired private UserTable table;
  @Autowired private Guard<String, User> usersGuard;

  @Value("${local.server.port}")
  private int port;

  @Test
  void unknownIdsHardlyEverReachTheDatabase() throws Exception {
    for (int i = 0; i < USERS; i++) {
      table.save(new User("user-" + i, "name " + i)); // past the guard, as an import does
    }
    usersGuard.rebuild().join();
    usersGuard.awaitFilter(Duration.ofMinutes(1));

    assertEquals(200, get("/users/user-7").statusCode());
    assertEquals("{\"id\":\"user-7\",\"name\":\"name 7\"}", get("/users/user-7").body());
    long before = table.queries();
    for (int from = 0; from < UNKNOWN; from += AT_A_TIME) {
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = from; i < from + AT_A_TIME; i++) {
        answers.add(
            client.sendAsync(
                HttpRequest.newBuilder(uri("/users/nobody-" + i)).build(),
                HttpResponse.BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertEquals(404, answer.join().statusCode());
      }
    }
    long queries = table.queries() - before;
    System.out.println(UNKNOWN + " unknown ids, " + queries + " queries");
    // Of the filter's 1 % 15 are to be expected; none, or more than 39, in one of 10^6 runs.
    assertTrue(queries > 0 && queries < 40, queries + " queries");
  }

  @Test
  void whatIsWrittenIsFoundAndWhatIsDeletedIsNot() throws Exception {
    assertEquals(404, get("/users/ada").statusCode());
    assertEquals(200, send("PUT", "/users/ada", "Ada Lovelace").statusCode());
    assertEquals("{\"id\":\"ada\",\"name\":\"Ada Lovelace\"}", get("/users/ada").body());
    assertEquals(
        "[{\"id\":\"ada\",\"name\":\"Ada Lovelace\"}]", get("/users?id=nobody,ada").body());
    assertEquals(204, send("DELETE", "/users/ada", "").statusCode());
    assertEquals(404, send("DELETE", "/users/ada", "").statusCode());
    assertEquals(404, get("/users/ada").statusCode());
  }

  @Test
  void healthAndMetersTellOfTheGuard() throws Exception {
    usersGuard.awaitFilter(Duration.ofMinutes(1));
    String health = get("/actuator/health").body();
    assertTrue(health.contains("\"bloomery\"") && health.contains("\"users\""), health);
    String lookups = get("/actuator/metrics/bloom.filter.lookups").body();
    assertTrue(lookups.contains("\"absent\"") && lookups.contains("\"users\""), lookups);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "");
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://localhost:" + port + path);
  }
}
