package com.example.users;

import io.bloomery.guard.GuardSource;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Component;

/** The table of users, and what the guard fills its filter from. */
@Component("usersSource")
public class UserTable implements GuardSource<String, User> {

  private static final RowMapper<User> ROW =
      (row, number) -> new User(row.getString("id"), row.getString("name"));

  private final JdbcTemplate jdbc;
  private final AtomicLong queries = new AtomicLong();

  /** Makes a table of what {@code jdbc} is connected to. */
  public UserTable(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Streams the ids as they are when it is called; closing the stream ends the query. */
  @Override
  public Stream<String> keys() {
    return jdbc.queryForStream("select id from users", (row, number) -> row.getString("id"));
  }

  @Override
  public Optional<User> load(String id) {
    queries.incrementAndGet();
    return jdbc.query("select id, name from users where id = ?", ROW, id).stream().findFirst();
  }

  @Override
  public Map<String, User> loadAll(Collection<String> ids) {
    queries.incrementAndGet();
    String marks = String.join(",", Collections.nCopies(ids.size(), "?"));
    return jdbc
        .query("select id, name from users where id in (" + marks + ")", ROW, ids.toArray())
        .stream()
        .collect(Collectors.toMap(User::id, Function.identity()));
  }

  /** Adds a user, or renames one. */
  public void save(User user) {
    jdbc.update("merge into users (id, name) values (?, ?)", user.id(), user.name());
  }

  /** Deletes a user, and returns whether there was one. */
  public boolean delete(String id) {
    return jdbc.update("delete from users where id = ?", id) > 0;
  }

  /** Returns how often users were asked for. */
  public long queries() {
    return queries.get();
  }
}
